import { expect, it } from 'vitest'
import { factsOf, NOTHING_KNOWN } from '../../../../src/fact.ts'
import type { Tree } from '../../../../src/schema.ts'
import { documentFindings } from '../../../../webhooks/kruise/document/document.ts'
import { CLUSTER_FIELDS, podTemplateIn } from '../../../../webhooks/kruise/document/pod-fields.ts'
import { readersOf } from '../../../support/fakes/readers.ts'

const schema = (properties: Tree) => ({ properties })
const NEWER = {
  components: {
    schemas: {
      'io.k8s.api.core.v1.PodTemplateSpec': schema({
        spec: { $ref: '#/components/schemas/io.k8s.api.core.v1.PodSpec' },
      }),
      'io.k8s.api.core.v1.PodSpec': schema({ added: { type: 'array', items: { type: 'string' } } }),
    },
  },
}
const asked = (document: unknown) => {
  const openApi = async (of: string) => (of === 'api/v1' ? document : undefined)
  return CLUSTER_FIELDS.ask({ ...readersOf(), home: 'tars-system', openApi })
}
const factsOfCluster = async (document: unknown) => factsOf(new Map([[CLUSTER_FIELDS.name, await asked(document)]]))
const PATCH = { spec: { added: ['a'], hostname: 'b' } }
const UNKNOWN = [{ id: 'PATCH-V-12', path: '.spec.added', text: 'unknown field "added"' }]

it('PATCH-V-12 a field of a newer cluster is known, and those of this release stay known', async () => {
  const fields = podTemplateIn(await factsOfCluster(NEWER))
  expect(documentFindings(PATCH, { selectorKeys: [], fields })).toEqual([])
  expect(podTemplateIn(await factsOfCluster(NEWER))).not.toBe(fields)
})

it('PATCH-V-12 the table is made once for what is known', async () => {
  const facts = await factsOfCluster(NEWER)
  expect(podTemplateIn(facts)).toBe(podTemplateIn(facts))
})

it.each([
  ['nothing is known yet', async () => NOTHING_KNOWN],
  ['there is no such document', () => factsOfCluster(undefined)],
  ['what is known is something else', async () => factsOf(new Map([[CLUSTER_FIELDS.name, { PodSpec: 'a' }]]))],
])('PATCH-V-12 the table of this release counts where %s', async (_, facts) => {
  const fields = podTemplateIn(await facts())
  expect(documentFindings(PATCH, { selectorKeys: [], fields })).toEqual(UNKNOWN)
})
