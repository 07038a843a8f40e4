import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { isNamed } from '../../../src/cluster/stored.ts'
import { admittingCluster } from '../../support/clusters.ts'
import { kinds } from '../../support/kinds.ts'
import { ran } from '../../support/world.ts'

const documents = parseAllDocuments(readFileSync('manifests/samples/cloudflare/objects.yaml', 'utf8'))
const samples = documents.map((document): unknown => document.toJS()).filter(isNamed)

it('CF-CRD-01 CF-CRD-06 the samples are admitted, one beside the other', async () => {
  const cluster = admittingCluster()
  for (const sample of samples) {
    const found = kinds.find(({ resource }) => resource.kind === Object(sample).kind)
    expect(found && (await cluster.create(found.resource, sample)).metadata.uid).toMatch(/\S/)
  }
  expect(samples).toHaveLength(9)
})

it('CF-CRD-02 the family is printed by name, with every kind and its status', async () => {
  const { out } = await ran(['manifests', '--families', 'cloudflare', '--set', 'crds'])
  const definitions = parseAllDocuments(out).map((document): unknown => document.toJS())
  expect(definitions).toHaveLength(11)
  for (const definition of definitions)
    expect(definition).toMatchObject({ spec: { versions: [{ subresources: { status: {} } }] } })
})

it('and a family that is off is in no print by default', async () => {
  expect((await ran(['manifests'])).out).not.toContain('cloudflare')
})
