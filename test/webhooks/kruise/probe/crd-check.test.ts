import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import { crdCheck } from '../../../../webhooks/kruise/probe/crd-check.ts'
import { at, treesOf } from '../../../support/builders/trees.ts'
import { type Call, scriptedApiServer } from '../../../support/fakes/api-server.ts'
import { readerOf } from '../../../support/fakes/readers.ts'
import { ran } from '../../../support/world.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/daemonsets.apps.kruise.io'
const LOST = { properties: { spec: { properties: {} } } }
const EXTENDED = { properties: { spec: { properties: { patches: { type: 'array' } } } } }
const version = (name: string, openAPIV3Schema: object) => ({ name, served: true, schema: { openAPIV3Schema } })
const definition = (...versions: readonly object[]) => ({
  metadata: { name: 'daemonsets.apps.kruise.io' },
  spec: { versions },
})

type Answers = (call: Call, sent: Tree) => void
const echoed: Answers = (call, sent) => call.json(201, sent)
const pruned: Answers = (call, { spec, ...sent }) =>
  call.json(201, { ...sent, spec: { ...Object(spec), patches: undefined } })
const refused: Answers = (call) => call.status(403, 'Forbidden')

/** The command on a cluster with this definition, which answers to a dry run so. */
async function checked(crd: object | undefined, answers: Answers, ...args: readonly string[]) {
  const server = await scriptedApiServer()
  const tried: string[] = []
  server.always((call) => {
    if (call.path === CRDS) return crd === undefined ? call.status(404, 'NotFound') : call.json(200, crd)
    tried.push(`${call.method} ${call.path} ${call.query.dryRun}`)
    const { metadata, ...sent } = JSON.parse(call.body)
    return answers(call, { ...sent, metadata: { ...metadata, name: 'probe' } })
  })
  try {
    const words = ['daemonset-patches', 'crd-check', '--kubeconfig', server.kubeconfig(), ...args]
    return { ...(await ran(words)), tried }
  } finally {
    await server.stop()
  }
}

describe('PATCH-API-10 daemonset-patches crd-check', () => {
  it.each([
    {
      name: 'kept everywhere',
      crd: definition(version('v1beta1', EXTENDED), version('v1alpha1', EXTENDED)),
      answers: echoed,
      code: 0,
      out: /^v1beta1 {3}kept: .*\nv1alpha1 {2}kept: .*\n$/,
    },
    {
      name: 'no definition',
      crd: undefined,
      answers: echoed,
      code: 0,
      out: /^daemonsets.apps.kruise.io is not defined here/,
    },
    {
      name: 'pruned',
      crd: definition(version('v1alpha1', LOST)),
      answers: pruned,
      code: 1,
      out: /^v1alpha1 {2}pruned: /,
    },
    {
      name: 'stripped',
      crd: definition(version('v1beta1', EXTENDED)),
      answers: pruned,
      code: 1,
      out: /^v1beta1 {2}stripped: /,
    },
    {
      name: 'unknown',
      crd: definition(version('v1beta1', EXTENDED)),
      answers: refused,
      code: 3,
      out: /^v1beta1 {2}unknown: /,
    },
  ])('$name: exit code $code', async ({ crd, answers, code, out }) => {
    const shown = await checked(crd, answers)
    expect(shown).toMatchObject({ code, err: '', out: expect.stringMatching(out) })
    expect(shown.out.includes('One of these helps')).toBe(code === 1)
  })

  it('tries it in each served version, in a dry run, in the namespace that is named', async () => {
    const { tried } = await checked(
      definition(version('v1beta1', LOST), version('v1alpha1', LOST)),
      pruned,
      '--namespace=here',
    )
    expect(tried).toEqual(
      ['v1beta1', 'v1alpha1'].map((each) => `POST /apis/apps.kruise.io/${each}/namespaces/here/daemonsets All`),
    )
  })

  it('an API server that does not answer is exit code 3', async () => {
    const answers: Answers = (call) => call.status(500, 'InternalError')
    expect((await checked(definition(version('v1beta1', LOST)), answers)).code).toBe(3)
  })

  it('as JSON, with the remedies: the patch holds for the place where the version stands', async () => {
    const { out } = await checked(definition(version('v1', {}), version('v1beta1', LOST)), pruned, '-o', 'json')
    const { crd, versions, remedies } = JSON.parse(out)
    expect({ crd, versions }).toEqual({
      crd: 'daemonsets.apps.kruise.io',
      versions: [{ version: 'v1beta1', result: 'pruned' }],
    })
    expect(remedies).toHaveLength(3)
    const [, patch = ''] =
      /^ {4}kubectl patch crd daemonsets.apps.kruise.io --type=json --patch='(.*)'$/m.exec(remedies[1]) ?? []
    const operations = treesOf(JSON.parse(patch))
    expect(operations.map(({ op, path }) => [op, path])).toEqual([
      ['test', '/spec/versions/1/name'],
      ['add', '/spec/versions/1/schema/openAPIV3Schema/properties/spec/properties/patches'],
    ])
    expect(at(operations[1] ?? {}, 'value.items.required')).toEqual(['selector', 'patch'])
  })

  it('where the schema has the field, no patch of it is advised', async () => {
    expect((await checked(definition(version('v1beta1', EXTENDED)), pruned)).out).not.toContain('kubectl patch')
  })

  it.each([
    { args: ['-o', 'yaml'], says: '-o yaml is the form of review --plan' },
    { args: ['more'], says: '"more" belongs to no flag' },
  ])('$args is not understood', async ({ args, says }) => {
    expect(await checked(undefined, echoed, ...args)).toMatchObject({ code: 2, err: expect.stringContaining(says) })
  })

  it('its help names its flags, and that of tars-admission names it', async () => {
    expect((await ran(['--help'])).out).toMatch(/^ {2}daemonset-patches crd-check says whether/m)
    const { out } = await ran(['daemonset-patches', 'crd-check', '--help'])
    expect(out).toMatch(/^usage: tars-admission daemonset-patches crd-check \[FLAGS\]\n/)
    expect(out).toMatch(/--namespace NAMESPACE +where the dry run is tried.*\(default: default\)/)
    expect((await ran(['daemonset-patches'])).out).toMatch(/^ {2}daemonset-patches crd-check says whether/m)
  })

  it('is given no more than a reader', async () => {
    const live = readerOf()
    const { settings } = { settings: { get: () => never() } }
    expect((await crdCheck.run({ live, namespace: 'x', words: [], settings })).code).toBe(0)
    expect(live.reads).toEqual(['get CustomResourceDefinition /daemonsets.apps.kruise.io'])
  })
})

function never(): never {
  throw new Error('it has no settings')
}
