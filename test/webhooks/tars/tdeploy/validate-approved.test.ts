import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import type { Tree } from '../../../../src/schema.ts'
import { answered, CTRL, VALIDATING } from '../../../support/answerer-parts.ts'
import { APPROVED, aTDeploy } from '../../../support/builders/deploys.ts'
import { aTServer } from '../../../support/builders/servers.ts'
import { readerOf, readersOf, UNREACHABLE } from '../../../support/fakes/readers.ts'
import type { Sent } from '../../../support/reviews.ts'
import { answerTo, base, creationOf, onUpdate, UNFIT, updateOf } from './validating.ts'

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
