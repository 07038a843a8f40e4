import { describe, expect, it } from 'vitest'
import type { Built } from '../../../src/cluster/port.ts'
import { TCONFIG } from '../../../webhooks/tars/tconfig/schema.ts'
import { DELETION_GUARD_SECONDS } from '../../../webhooks/tars/tconfig/settings.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { TTREE } from '../../../webhooks/tars/ttree/schema.ts'
import {
  answered,
  CTRL,
  DEPUTIES,
  NAMESPACE_CONTROLLER,
  VALIDATING,
  withSetting,
  wordsOf,
} from '../../support/answerer-parts.ts'
import { aTConfig } from '../../support/builders/configs.ts'
import { aTServer } from '../../support/builders/servers.ts'
import { aTTree } from '../../support/builders/tars-trees.ts'
import { aTTemplate, GOING } from '../../support/builders/templates.ts'
import { readerOf, UNREACHABLE } from '../../support/fakes/readers.ts'
import { kinds } from '../../support/kinds.ts'
import { reviewsOf } from '../../support/reviews.ts'

const namespace = (more: object = {}): Built => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'demo', ...more },
})
const ASKED = 'get Namespace /demo'
const base = aTTemplate()
const young = aTConfig({ created: '2026-11-18T12:00:00Z' })
const history = aTConfig({ name: 'old', activated: false })
const HELD = [
  { rule: 'TR-V6', of: TTREE, old: aTTree(), there: [] },
  { rule: 'TT-V3', of: TTEMPLATE, old: base, there: [aTTemplate({ name: 'child', parent: 'base' })] },
  { rule: 'TT-V4', of: TTEMPLATE, old: base, there: [aTServer()] },
  { rule: 'TC-V13', of: TCONFIG, old: aTConfig(), there: [aTConfig({ name: 'node', podSeq: '3' })] },
  { rule: 'TC-V15', of: TCONFIG, old: young, there: [], guard: 48 },
] as const

function deletion(
  { of, old, guard = 0 }: { of: typeof TTREE | typeof TTEMPLATE | typeof TCONFIG; old: Built; guard?: number },
  user: string,
) {
  const body = reviewsOf(of).deletionOf(old, { user })
  return async (...there: readonly Built[]) => {
    const live = readerOf(...there)
    const settings = withSetting(DELETION_GUARD_SECONDS, guard)
    const answer = await answered(VALIDATING, body, { readers: { cached: UNREACHABLE, live }, settings })
    return {
      shown: wordsOf(answer),
      marked: answer.verdict.intents.length,
      requested: live.reads.filter((read) => read === ASKED),
    }
  }
}

it('the rules of TarsK8S on DELETE that do not bind Kubernetes are all in the table', () => {
  const ofTars = kinds.filter(({ resource }) => resource.group === TTREE.group)
  const onDelete = ofTars.flatMap(({ rules }) => rules).filter(({ on }) => on.startsWith('delete'))
  const exempting = onDelete.filter(({ exempt = [] }) => exempt.includes('KUBE'))
  expect(exempting.map(({ id }) => id).sort()).toEqual(HELD.map(({ rule }) => rule).sort())
})

describe.each(HELD)('1.5 on DELETE $rule', (held) => {
  const by = (user: string, ...more: readonly Built[]) => deletion(held, user)(...held.there, ...more)

  it.each(['ann', 'system:serviceaccount:demo:namespace-controller'])('binds %s, wherever it is', async (user) => {
    expect(await by(user, namespace(GOING))).toMatchObject({
      shown: expect.stringContaining(`(${held.rule})`),
      requested: [],
    })
  })
  it.each([CTRL, NAMESPACE_CONTROLLER])('does not bind %s', async (user) => {
    expect(await by(user, namespace())).toEqual({ shown: 'allowed', marked: 0, requested: [] })
  })
  it.each(DEPUTIES)('binds %s until the namespace is terminating', async (user) => {
    const refused = { shown: expect.stringContaining(`(${held.rule})`), marked: 0, requested: [ASKED] }
    expect(await by(user, namespace())).toEqual(refused)
    expect(await by(user)).toEqual(refused)
    expect(await by(user, namespace(GOING))).toEqual({ shown: 'allowed', marked: 0, requested: [ASKED] })
  })
})

describe('1.5 the consequence of a delete (TC-S2)', () => {
  const by = deletion({ of: TCONFIG, old: aTConfig() }, DEPUTIES[0] ?? '')
  it('follows for a deputy, as for the author for whom it deletes', async () => {
    const { shown, marked, requested } = await by(aTConfig(), history, namespace())
    expect({ shown, marked, requested }).toEqual({
      shown: expect.stringMatching(/^allowed\nwarning: removes 2/),
      marked: 1,
      requested: [ASKED],
    })
  })
  it('does not while the namespace is terminating', async () => {
    expect(await by(history, namespace(GOING))).toEqual({ shown: 'allowed', marked: 0, requested: [ASKED] })
  })
})

describe('1.5 the namespace', () => {
  const [collector = ''] = DEPUTIES
  it('is requested for once, however many rules refuse', async () => {
    const both = [aTTemplate({ name: 'child', parent: 'base' }), aTServer()]
    const by = deletion({ of: TTEMPLATE, old: base }, collector)
    expect(await by(...both, namespace())).toMatchObject({
      shown: expect.stringMatching(/TT-V3.*TT-V4/),
      requested: [ASKED],
    })
    expect(await by(...both, namespace(GOING))).toMatchObject({ shown: 'allowed', requested: [ASKED] })
  })
  it.each([
    { name: 'a template that is not in use', of: TTEMPLATE, old: base },
    { name: 'a tree of another name', of: TTREE, old: aTTree({ name: 'other' }) },
    { name: 'a version out of force', of: TCONFIG, old: history },
  ])('is not requested for of $name', async ({ of, old }) => {
    expect(await deletion({ of, old }, collector)(namespace())).toEqual({ shown: 'allowed', marked: 0, requested: [] })
  })
  it('that cannot be read leaves the delete without an answer, and the collector tries again', async () => {
    const body = reviewsOf(TTREE).deletionOf(aTTree(), { user: collector })
    const { response } = await answered(VALIDATING, body, { readers: { cached: UNREACHABLE, live: UNREACHABLE } })
    expect(response).toMatchObject({ allowed: false, status: { code: 503 } })
  })
})
