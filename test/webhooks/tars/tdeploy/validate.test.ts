import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import type { Tree } from '../../../../src/schema.ts'
import { TDEPLOY } from '../../../../webhooks/tars/tdeploy/schema.ts'
import { answered, CTRL, VALIDATING, wordsOf } from '../../../support/answerer-parts.ts'
import { APPROVED, aTDeploy, REJECTED } from '../../../support/builders/deploys.ts'
import { aTServer } from '../../../support/builders/servers.ts'
import { aTTemplate } from '../../../support/builders/templates.ts'
import { readerOf, readersOf, UNREACHABLE } from '../../../support/fakes/readers.ts'
import { reviewsOf, type Sent } from '../../../support/reviews.ts'

const { creationOf, updateOf } = reviewsOf(TDEPLOY)
const base = aTTemplate()
type Parts = Parameters<typeof answered>[2]
const answerTo = async (body: unknown, there: readonly Built[] = [base], parts: Parts = {}) =>
  wordsOf(await answered(VALIDATING, body, { readers: readersOf(...there), ...parts }))
const onCreate = (object: unknown, sent?: Sent) => answerTo(creationOf(object, sent))
const onUpdate = (old: Built, object: unknown, sent?: Sent) => answerTo(updateOf(old, object, sent))

describe.each([
  { rule: 'TD-V1', field: 'approve', value: APPROVED, remedy: 'create the request, and decide afterwards' },
  { rule: 'TD-V2', field: 'deployed', value: true, remedy: 'leave it to the controller' },
  { rule: 'TD-V2', field: 'deployed', value: false, remedy: 'leave it to the controller' },
])('$rule a new request has no $field, though the mutation was bypassed', ({ rule, field, value, remedy }) => {
  it('is said to everybody, dry run or not', async () => {
    for (const [user, dryRun] of [
      ['ann', false],
      ['ann', true],
      [CTRL, false],
    ] as const) {
      expect(await onCreate(aTDeploy({ [field]: value }), { user, dryRun })).toBe(
        `422 Invalid: ${field}: must not be set when the request is created; ${remedy} (${rule})`,
      )
    }
  })
  it('passes without', async () => {
    expect(await onCreate(aTDeploy())).toBe('allowed')
  })
})

describe('TD-V3 a new request is for a new server', () => {
  const REFUSED =
    '422 Invalid: apply: TServer demo/demo-echo already exists; ' +
    'ask for another app or server, or delete that TServer first (TD-V3)'

  it.each([
    { name: 'a server of that name is refused', there: [aTServer()], answer: REFUSED },
    { name: 'one being deleted still exists', there: [aTServer({ going: true })], answer: REFUSED },
    { name: 'another server does not count', there: [aTServer({ name: 'demo-other' })], answer: 'allowed' },
    { name: 'nor one of another namespace', there: [aTServer({ namespace: 'prod' })], answer: 'allowed' },
    { name: 'nor a request of that name', there: [aTDeploy({ name: 'demo-echo' })], answer: 'allowed' },
  ])('$name', async ({ there, answer }) => {
    for (const dryRun of [false, true]) {
      expect(await answerTo(creationOf(aTDeploy(), { dryRun }), [base, ...there])).toBe(answer)
    }
  })
  it('is for everybody, and its cause is that of a duplicate (SV-9)', async () => {
    const readers = readersOf(base, aTServer())
    const { response } = await answered(VALIDATING, creationOf(aTDeploy(), { user: CTRL }), { readers })
    expect(response.status?.details?.causes).toEqual([
      expect.objectContaining({ reason: 'FieldValueDuplicate', field: 'apply' }),
    ])
  })
  it('no cache is asked: it may not have seen the server yet (SV-7)', async () => {
    const readers = { cached: readerOf(base), live: readerOf(base, aTServer()) }
    expect(await answerTo(creationOf(aTDeploy()), [], { readers })).toBe(REFUSED)
  })
  it('waits when nobody can say (SV-6)', async () => {
    const parts = { readers: { cached: UNREACHABLE, live: UNREACHABLE } }
    expect(await answerTo(creationOf(aTDeploy()), [], parts)).toMatch(/^503 ServiceUnavailable/)
  })
})

describe.each([
  { decision: 'approval', decided: APPROVED },
  { decision: 'rejection', decided: REJECTED },
])('TD-V4, TD-V5 after an $decision', ({ decided }) => {
  const old = aTDeploy({ approve: decided })
  const REFUSED = '403 Forbidden: approve: already decided, cannot be changed; create another request (TD-V4)'
  const FIXED = '403 Forbidden: apply: cannot be changed after the decision; create another request (TD-V5)'

  it.each([
    { name: 'another reason', approve: { ...decided, reason: 'other' } },
    { name: 'no decision', approve: undefined },
  ])('$name is refused', async ({ approve }) => {
    for (const dryRun of [false, true]) expect(await onUpdate(old, aTDeploy({ approve }), { dryRun })).toBe(REFUSED)
  })
  it('the other result is refused', async () => {
    const approve = { ...decided, result: !decided.result }
    expect(await onUpdate(old, aTDeploy({ approve }))).toBe(REFUSED)
  })
  it('another server is refused', async () => {
    const requested = aTDeploy({ approve: decided, apply: { mark: 'x' } })
    for (const dryRun of [false, true]) expect(await onUpdate(old, requested, { dryRun })).toBe(FIXED)
  })
  it('both are told at once', async () => {
    const answer = await onUpdate(old, aTDeploy({ approve: { ...decided, reason: 'x' }, apply: { mark: 'x' } }))
    expect(answer).toMatch(/^403 Forbidden: .*\(TD-V4\); .*\(TD-V5\)$/)
  })
  it('the same in another order of keys passes, and so does the rest', async () => {
    const approve = Object.fromEntries(Object.entries(decided).reverse())
    expect(await onUpdate(old, aTDeploy({ approve, labels: { mine: 'kept' } }))).toBe('allowed')
  })
  it.each(['system:kube-controller-manager', 'system:serviceaccount:kube-system:x'])('%s is bound', async (user) => {
    expect(await onUpdate(old, aTDeploy(), { user })).toBe(REFUSED)
  })
  it('the controller is not', async () => {
    expect(await onUpdate(old, aTDeploy({ apply: { mark: 'x' } }), { user: CTRL })).toBe('allowed')
  })
})

describe('TD-V4, TD-V5 before a decision', () => {
  it('the request may be changed', async () => {
    expect(await onUpdate(aTDeploy(), aTDeploy({ apply: { mark: 'x' } }))).toBe('allowed')
  })
})

describe('TD-V6 the controller alone says that a request is deployed', () => {
  const REFUSED = '403 Forbidden: deployed: only the controller may set this field; leave it as it was (TD-V6)'
  it.each([
    { name: 'absent → true', was: undefined, is: true, user: 'ann', answer: REFUSED },
    { name: 'true → false', was: true, is: false, user: 'ann', answer: REFUSED },
    { name: 'true → absent', was: true, is: undefined, user: 'ann', answer: REFUSED },
    { name: 'absent → false, which is the same', was: undefined, is: false, user: 'ann', answer: 'allowed' },
    { name: 'true → true', was: true, is: true, user: 'ann', answer: 'allowed' },
    { name: 'by the controller', was: undefined, is: true, user: CTRL, answer: 'allowed' },
    { name: 'by Kubernetes', was: undefined, is: true, user: 'system:kube-controller-manager', answer: REFUSED },
  ])('$name', async ({ was, is, user, answer }) => {
    const [old, object] = [was, is].map((deployed) => aTDeploy({ approve: APPROVED, deployed }))
    for (const dryRun of [false, true]) expect(await onUpdate(old ?? base, object, { user, dryRun })).toBe(answer)
  })
})

/** Refused of a TServer, and the fields are named as the request has them. */
const UNFIT: readonly { name: string; apply: Tree; words: string; id: string }[] = [
  {
    name: 'two servants of one name',
    apply: {
      tars: tarsWith([
        { name: 'EchoObj', port: 1_000 },
        { name: 'echoobj', port: 1_001 },
      ]),
    },
    words:
      'apply.tars.servants[1].name: "echoobj" duplicates servants[0] (compared without case); give each a name of its own',
    id: 'TS-V8',
  },
  {
    name: 'the block of another type',
    apply: { subType: 'normal', normal: { ports: [] } },
    words:
      'apply.tars: only allowed when apply.subType is "tars"; give the block that apply.subType names, and not the other',
    id: 'TS-V5',
  },
  {
    name: 'no block at all',
    apply: { tars: undefined },
    words:
      'apply.tars: required when apply.subType is "tars"; give the block that apply.subType names, and not the other',
    id: 'TS-V5',
  },
  {
    name: 'a name that is too long, which is that of app and server',
    apply: { server: 'E'.repeat(54), k8s: { abilityAffinity: 'AppRequired' } },
    words: 'apply.server: must be at most 58 characters; shorten apply.app or apply.server',
    id: 'TS-V7',
  },
  {
    name: 'a template that is not there, whose name is not rewritten',
    apply: { tars: { template: 'spec.base', servants: [] } },
    words: 'apply.tars.template: TTemplate demo/spec.base does not exist; create it first, or name another',
    id: 'TS-V15',
  },
]
function tarsWith(servants: readonly Tree[]): Tree {
  return { template: 'base', servants }
}
const localVolume = {
  subType: 'normal',
  tars: undefined,
  normal: { ports: [] },
  k8s: { mounts: [{ name: 'data', mountPath: '/data', source: { tLocalVolume: {} } }] },
}

describe('TD-V7 what is approved can become a TServer', () => {
  const approved = (apply: Tree = {}) => aTDeploy({ apply, approve: APPROVED })
  const approval = (apply: Tree, there: readonly Built[] = [base], sent?: Sent) =>
    answerTo(updateOf(aTDeploy({ apply }), approved(apply), sent), there)

  it('is approved', async () => {
    expect(await approval({})).toBe('allowed')
  })
  it.each(UNFIT)('$name is refused', async ({ apply, words, id }) => {
    for (const dryRun of [false, true]) {
      expect(await approval(apply, [base], { dryRun })).toBe(`422 Invalid: ${words} (TD-V7, ${id})`)
    }
  })
  it('a TServer that is there, or still there, is refused as TD-V3 says', async () => {
    for (const going of [false, true]) {
      expect(await approval({}, [base, aTServer({ going })])).toBe(
        '422 Invalid: apply: TServer demo/demo-echo already exists; ' +
          'ask for another app or server, or delete that TServer first (TD-V7, TD-V3)',
      )
    }
  })
  it('no cache is asked: it may not have seen that TServer yet (SV-7)', async () => {
    const readers = { cached: readerOf(base), live: readerOf(base, aTServer()) }
    expect(await answerTo(updateOf(aTDeploy(), approved()), [], { readers })).toMatch('(TD-V7, TD-V3)')
  })
  it('whose cause is that of a duplicate (SV-9)', async () => {
    const readers = readersOf(base, aTServer())
    const { response } = await answered(VALIDATING, updateOf(aTDeploy(), approved()), { readers })
    expect(response.status?.details?.causes).toMatchObject([{ reason: 'FieldValueDuplicate', field: 'apply' }])
  })
  it('all that is wrong is told at once (W-13)', async () => {
    expect(await approval(UNFIT[0]?.apply ?? {}, [aTServer()])).toMatch(
      /^422 Invalid: apply: .*\(TD-V7, TD-V3\); .*\(TD-V7, TS-V8\); .*\(TD-V7, TS-V15\)$/,
    )
  })
  it('what the profile refuses of a TServer, TS-W2 among it', async () => {
    const body = updateOf(aTDeploy({ apply: localVolume }), approved(localVolume))
    expect(await answerTo(body)).toMatch(
      /^422 Invalid: apply\.k8s\.mounts\[0\]\.source\.tLocalVolume: .*\(TD-V7, TS-W2\)$/,
    )
    expect(await answerTo(body, [base], { profile: 'upstream' })).toBe('allowed')
  })
  it.each(['ann', 'system:kube-controller-manager'])('%s is bound', async (user) => {
    expect(await approval({ tars: undefined }, [base], { user })).toMatch('(TD-V7, TS-V5)')
  })
  it('the controller is not', async () => {
    expect(await approval({ tars: undefined }, [base, aTServer()], { user: CTRL })).toBe('allowed')
  })
  it('is asked once: what was approved may be edited otherwise', async () => {
    const body = updateOf(approved(), { ...approved(), deployed: false })
    expect(await answerTo(body, [aTServer()])).toBe('allowed')
  })
  it('what was approved before is not approved again (TD-V5)', async () => {
    const { apply = {} } = UNFIT[0] ?? {}
    expect(await answerTo(updateOf(approved(), approved(apply)), [base])).toMatch(
      /^403 Forbidden: apply: .*\(TD-V5\)\n/,
    )
  })
  it('waits when the template cannot be looked up (SV-6)', async () => {
    const parts = { readers: { cached: UNREACHABLE, live: UNREACHABLE } }
    expect(await answerTo(updateOf(aTDeploy(), approved()), [], parts)).toMatch(/^503 ServiceUnavailable/)
  })
})

describe('TD-V8 what could not become a TServer is told early', () => {
  it.each(UNFIT)('$name: a warning, on create and when apply changes', async ({ apply, words, id }) => {
    const shown = `${words} (TD-V8, ${id})`
    const warning = shown.length <= 120 ? shown : expect.stringMatching(new RegExp(`… \\(TD-V8, ${id}\\)$`))
    for (const dryRun of [false, true]) {
      for (const body of [
        creationOf(aTDeploy({ apply }), { dryRun }),
        updateOf(aTDeploy(), aTDeploy({ apply }), { dryRun }),
      ]) {
        const { response } = await answered(VALIDATING, body, { readers: readersOf(base) })
        expect(response).toMatchObject({ allowed: true, warnings: [warning] })
      }
    }
  })
  it('again with each change of apply', async () => {
    const { apply = {} } = UNFIT[0] ?? {}
    expect(await onUpdate(aTDeploy({ apply }), aTDeploy({ apply: { ...apply, mark: 'x' } }))).toMatch('(TD-V8, TS-V8)')
  })
  it('not when something else changes', async () => {
    const { apply = {} } = UNFIT[0] ?? {}
    expect(await onUpdate(aTDeploy({ apply }), aTDeploy({ apply, labels: {} }))).toBe('allowed')
  })
  it('not beside what TD-V7 refuses', async () => {
    const { apply = {} } = UNFIT[0] ?? {}
    expect(await onUpdate(aTDeploy(), aTDeploy({ apply, approve: APPROVED }))).not.toMatch('TD-V8')
  })
  it('nobody waits for it', async () => {
    const parts = { readers: { cached: UNREACHABLE, live: UNREACHABLE } }
    const changed = updateOf(aTDeploy(), aTDeploy({ apply: { mark: 'x' } }))
    expect(await answerTo(changed, [], parts)).toBe('allowed')
  })
})

describe('TD-V9 what is rejected need not be right', () => {
  it.each(UNFIT)('$name', async ({ apply }) => {
    const body = updateOf(aTDeploy({ apply }), aTDeploy({ apply, approve: REJECTED }))
    expect(await answerTo(body, [aTServer()])).toBe('allowed')
  })
})
