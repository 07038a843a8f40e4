import { describe, expect, it } from 'vitest'
import { factsOf } from '../../../../src/fact.ts'
import type { Tree } from '../../../../src/schema.ts'
import { KRUISE_DAEMONSET, KRUISE_DAEMONSET_ALPHA } from '../../../../webhooks/kruise/daemonsets.ts'
import { specGuards } from '../../../../webhooks/kruise/probe/kind.ts'
import { SUPPORT, type Support } from '../../../../webhooks/kruise/probe/probe.ts'
import { answered, CTRL, wordsOf } from '../../../support/answerer-parts.ts'
import { reviewsOf } from '../../../support/reviews.ts'

const PATH = '/mutate-daemonset-patches'
const DENIED =
  "422 Invalid: spec.patches: this cluster's Kruise manager would drop this field; put the list in annotation daemonset.kruise.io/patches, or upgrade (PATCH-API-9)"
const LIST = [{ selector: { matchLabels: { disk: 'large' } }, patch: { metadata: { labels: { a: 'b' } } } }]
const PROBE = { labels: { 'daemonset.kruise.io/patches-probe': '' } }

const aDaemonSet = (patches?: unknown, metadata: Tree = {}) => ({
  apiVersion: 'apps.kruise.io/v1beta1',
  kind: 'DaemonSet',
  metadata: { name: 'agent', namespace: 'demo', ...metadata },
  spec: { template: {}, ...(patches !== undefined && { patches }) },
})
const { creationOf, updateOf } = reviewsOf(KRUISE_DAEMONSET)

/** The answer where this is what becomes of the field in v1beta1. */
async function answerTo(body: unknown, result: Support | undefined, of = KRUISE_DAEMONSET) {
  const known = new Map([[SUPPORT.name, result === undefined ? {} : { [of.version]: result }]])
  return answered(PATH, body, { kinds: specGuards, facts: factsOf(known) })
}
const wordsTo = async (...asked: Parameters<typeof answerTo>) => wordsOf(await answerTo(...asked))

describe('PATCH-API-9 spec.patches that this cluster would drop', () => {
  it.each([
    { result: 'stripped', words: DENIED },
    { result: 'kept', words: 'allowed' },
    { result: 'pruned', words: 'allowed' },
    { result: undefined, words: 'allowed' },
    {
      result: 'unknown',
      words:
        'allowed\nwarning: spec.patches: it is not known whether this cluster keeps it; ask daemonset-patches crd-check (PATCH-API-9)',
    },
  ] as const)('are answered by the probe: $result', async ({ result, words }) => {
    expect(await wordsTo(creationOf(aDaemonSet(LIST)), result)).toBe(words)
  })

  it('count by version', async () => {
    const body = reviewsOf(KRUISE_DAEMONSET_ALPHA).creationOf({
      ...aDaemonSet(LIST),
      apiVersion: 'apps.kruise.io/v1alpha1',
    })
    expect(await wordsTo(body, 'stripped', KRUISE_DAEMONSET_ALPHA)).toBe(DENIED)
    expect(await wordsTo(body, 'stripped')).toBe('allowed')
  })

  it('before the first probe they are warned of', async () => {
    const answer = await answered(PATH, creationOf(aDaemonSet(LIST)), { kinds: specGuards })
    expect(wordsOf(answer)).toContain('it is not known')
  })

  it.each([{ patches: undefined }, { patches: [] }, { patches: null }, { patches: 'x' }])(
    '$patches is nothing that could be dropped',
    async ({ patches }) => {
      expect(await wordsTo(creationOf(aDaemonSet(patches)), 'stripped')).toBe('allowed')
    },
  )

  it('a list that stands does not keep its DaemonSet from changing; another one is refused', async () => {
    const stored = aDaemonSet(LIST)
    expect(await wordsTo(updateOf(stored, aDaemonSet(LIST, { labels: { a: 'b' } })), 'stripped')).toBe('allowed')
    expect(await wordsTo(updateOf(stored, aDaemonSet([...LIST, ...LIST])), 'stripped')).toBe(DENIED)
    expect(await wordsTo(updateOf(aDaemonSet(), stored), 'stripped')).toBe(DENIED)
  })

  it('the probe itself passes: ours, in a dry run, with its label', async () => {
    const probe = aDaemonSet(LIST, PROBE)
    const ours = { user: CTRL, dryRun: true }
    expect(await wordsTo(creationOf(probe, ours), 'stripped')).toBe('allowed')
    expect(await wordsTo(creationOf(probe, { ...ours, dryRun: false }), 'stripped')).toBe(DENIED)
    expect(await wordsTo(creationOf(probe, { ...ours, user: 'ann' }), 'stripped')).toBe(DENIED)
    expect(await wordsTo(creationOf(aDaemonSet(LIST), ours), 'stripped')).toBe(DENIED)
  })

  it.each(['kept', 'stripped', 'unknown'] as const)(
    'PATCH-API-11 nothing is copied into the annotation: %s',
    async (result) => {
      const { response } = await answerTo(creationOf(aDaemonSet(LIST)), result)
      expect(response.patch).toBeUndefined()
    },
  )
})
