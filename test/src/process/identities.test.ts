import { describe, expect, it } from 'vitest'
import { Fault } from '../../../src/faults.ts'
import { identitiesOf, identitiesThere } from '../../../src/process/identities.ts'
import { notes } from '../../support/notes.ts'

const ACCOUNTS = [
  'system:serviceaccount:tars-system:tars-controller',
  'system:serviceaccount:tars-system:tars-webhook',
] as const
const [, WEBHOOK] = ACCOUNTS

describe('our own (tars.md 1.5)', () => {
  it.each([
    { name: 'are two service accounts', installed: {}, own: ACCOUNTS },
    {
      name: 'are those of the namespace of the installation',
      installed: { namespace: 'tea' },
      own: ['system:serviceaccount:tea:tars-controller', 'system:serviceaccount:tea:tars-webhook'],
    },
    { name: 'are those of --controllers too', installed: { controllers: ['ann'] }, own: [...ACCOUNTS, 'ann'] },
  ])('$name', ({ installed, own }) => {
    expect(identitiesOf({ controllers: [], ...installed })).toEqual({ controllers: own })
  })
})

describe('as whom we write (TC-M10, TC-S6)', () => {
  const there = async (user: () => Promise<string | undefined>, controllers: readonly string[] = []) => {
    const log = notes()
    const { controllers: own } = await identitiesThere({ config: { controllers }, cluster: { user }, log })
    return { own, reported: log.lines.map(({ level, user, msg }) => ({ level, user, msg })) }
  }

  it('counts as our own, and the log says so', async () => {
    const msg = 'we write as this user, who counts as our own beside the service accounts'
    expect(await there(async () => 'outside')).toEqual({
      own: [...ACCOUNTS, 'outside'],
      reported: [{ level: 'info', user: 'outside', msg }],
    })
  })
  it.each([
    { name: 'the service account', user: WEBHOOK, controllers: [] },
    { name: 'one whom the operator has named', user: 'outside', controllers: ['outside'] },
    { name: 'nobody, where users are not told apart', user: undefined, controllers: [] },
  ])('is nothing new of $name', async ({ user, controllers }) => {
    expect(await there(async () => user, controllers)).toEqual({ own: [...ACCOUNTS, ...controllers], reported: [] })
  })
  it('is warned of where it cannot be learned, with what to do', async () => {
    const { own, reported } = await there(() => Promise.reject(new Fault('CLUSTER_REFUSED', '404')))
    expect(own).toEqual(ACCOUNTS)
    expect(reported).toEqual([{ level: 'warn', user: undefined, msg: expect.stringContaining('--controllers') }])
  })
})
