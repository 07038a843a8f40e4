import { describe, expect, it } from 'vitest'
import { storedOf } from '../../../../src/cluster/memory/memory-store.ts'
import { type Built, type ClusterReader, Refused } from '../../../../src/cluster/port.ts'
import { needsOfFacts } from '../../../../src/fact.ts'
import { Fault } from '../../../../src/faults.ts'
import type { Tree } from '../../../../src/schema.ts'
import { SUPPORT } from '../../../../webhooks/kruise/probe/probe.ts'
import { at } from '../../../support/builders/trees.ts'
import { readerOf } from '../../../support/fakes/readers.ts'

const PATCHES = { patches: { type: 'array' } }
const OPEN = { 'x-kubernetes-preserve-unknown-fields': true }

function aDefinition(spec: Tree, ...versions: readonly Tree[]): Built {
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'daemonsets.apps.kruise.io' },
    spec: { versions: versions.map((version) => ({ served: true, schema, ...version })) },
  }
}
const BETA = { name: 'v1beta1' }
const ALPHA = { name: 'v1alpha1' }

const withPatches = (object: Built, change: Tree): Built => {
  const spec = at(object, 'spec')
  return { ...object, spec: { ...Object(spec), ...change } }
}
const refusal = (code: number, message: string) =>
  new Refused({ status: 'Failure', code, reason: 'Forbidden', message })

type Answer = (object: Built) => Built | Error
const kept: Answer = (object) => object
const dropped: Answer = (object) => withPatches(object, { patches: undefined })

/** A cluster with this definition, and what its API server answers to the probe. */
function asking(definition: Built | undefined, answer: Answer) {
  const sent: Built[] = []
  const reader = readerOf(...(definition === undefined ? [] : [definition]))
  const live: ClusterReader = {
    ...reader,
    async dryRun(_, object) {
      sent.push(object)
      const answered = answer(object)
      if (answered instanceof Error) throw answered
      return storedOf(answered)
    },
  }
  return { sent, result: SUPPORT.ask({ live, cached: live, openApi: async () => undefined, home: 'tars-system' }) }
}

describe('PATCH-API-8 the support probe', () => {
  const extended = aDefinition({ properties: PATCHES }, ALPHA, BETA)
  it.each([
    { name: 'the field comes back', of: extended, answer: kept, is: { v1alpha1: 'kept', v1beta1: 'kept' } },
    {
      name: 'with a default of the definition',
      of: extended,
      answer: (object: Built) => withPatches(object, { patches: [{ ...firstOf(object), priority: 0 }] }),
      is: { v1alpha1: 'kept', v1beta1: 'kept' },
    },
    {
      name: 'the schema has no such field',
      of: aDefinition({ properties: {} }, BETA),
      answer: dropped,
      is: { v1beta1: 'pruned' },
    },
    {
      name: 'the schema has it, and it is gone',
      of: extended,
      answer: dropped,
      is: { v1alpha1: 'stripped', v1beta1: 'stripped' },
    },
    {
      name: 'the schema keeps all, and it is gone',
      of: aDefinition(OPEN, BETA),
      answer: dropped,
      is: { v1beta1: 'stripped' },
    },
    {
      name: 'a part of it is gone',
      of: extended,
      answer: (object: Built) => withPatches(object, { patches: [{ ...firstOf(object), patch: {} }] }),
      is: { v1alpha1: 'stripped', v1beta1: 'stripped' },
    },
    { name: 'it is refused', of: aDefinition({}, BETA), answer: () => refusal(403, 'no'), is: { v1beta1: 'unknown' } },
    {
      name: 'our own webhook refuses it to a person',
      of: aDefinition({}, BETA),
      answer: () => refusal(422, 'would drop this field (PATCH-API-9)'),
      is: { v1beta1: 'stripped' },
    },
    { name: 'there is no definition', of: undefined, answer: kept, is: {} },
    {
      name: 'a version is not served',
      of: aDefinition({}, { ...ALPHA, served: false }, BETA),
      answer: kept,
      is: { v1beta1: 'kept' },
    },
    { name: 'the definition is none', of: { ...extended, spec: { versions: [null, 'x'] } }, answer: kept, is: {} },
  ])('$name: $is', async ({ of, answer, is }) => {
    const { result } = asking(of, answer)
    expect(await result).toEqual(is)
    expect(SUPPORT.is(await result)).toBe(true)
  })

  it('is in a gauge: 1 for the result of each served version, 0 for the others', () => {
    const samples = SUPPORT.measured?.({ v1beta1: 'stripped' }) ?? []
    expect(samples.map(({ metric }) => metric.name)).toEqual(Array(8).fill('daemonset_patches_crd_supported'))
    const set = samples.filter(({ value }) => value === 1).map(({ labels }) => labels)
    expect(set).toEqual([{ version: 'v1beta1', result: 'stripped' }])
    const alpha = samples.filter(({ labels }) => labels.version === 'v1alpha1')
    expect(alpha.map(({ value }) => value)).toEqual([0, 0, 0, 0])
  })

  it('without an answer the last result counts on', async () => {
    const { result } = asking(extended, () => new Fault('CLUSTER_UNREACHABLE', 'away'))
    await expect(result).rejects.toThrow('away')
  })

  it('sends a DaemonSet for no node, without what OpenKruise defaults', async () => {
    const { sent, result } = asking(aDefinition({}, BETA), kept)
    await result
    expect(sent).toMatchObject([
      {
        apiVersion: 'apps.kruise.io/v1beta1',
        kind: 'DaemonSet',
        metadata: { namespace: 'tars-system', labels: { 'daemonset.kruise.io/patches-probe': '' } },
        spec: { template: { spec: { nodeSelector: { 'daemonset.kruise.io/patches-probe': 'nowhere' } } } },
      },
    ])
    expect(Object.keys(Object(at(sent[0] ?? {}, 'spec')))).toEqual(['selector', 'template', 'patches'])
  })

  it('is made every five minutes, and when the definition or the configuration of OpenKruise changes', () => {
    expect(SUPPORT.everyMs).toBe(300_000)
    const names = SUPPORT.follows?.map(({ of, name }) => `${of.plural} ${name}`)
    expect(names).toEqual([
      'customresourcedefinitions daemonsets.apps.kruise.io',
      'mutatingwebhookconfigurations kruise-mutating-webhook-configuration',
    ])
    expect(
      needsOfFacts([SUPPORT]).map(({ resource, asks, names, within }) => [resource.plural, asks, names ?? within]),
    ).toEqual([
      ['daemonsets', ['dry-run create'], 'home'],
      ['customresourcedefinitions', ['get', 'watch'], ['daemonsets.apps.kruise.io']],
      ['mutatingwebhookconfigurations', ['get', 'watch'], ['kruise-mutating-webhook-configuration']],
    ])
  })

  it.each([undefined, null, 'kept', { v1: 'other' }])('%o is no result', (value) => {
    expect(SUPPORT.is(value)).toBe(false)
  })
})

const firstOf = (object: Built): Tree => Object(Object(at(object, 'spec.patches'))[0])
