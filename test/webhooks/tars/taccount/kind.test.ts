import { describe, expect, it } from 'vitest'
import { taccount } from '../../../../webhooks/tars/taccount/kind.ts'
import { TACCOUNT } from '../../../../webhooks/tars/taccount/schema.ts'
import { A_TOKEN, aTAccount, hashFor } from '../../../support/builders/accounts.ts'

it('no rule or mutation of a TAccount looks anything up', () => {
  expect(taccount.reads).toEqual([])
})

describe('an account', () => {
  const having = (fields: object, authentication: object = { bcryptPassword }) => {
    const account = aTAccount({ authentication })
    return TACCOUNT.is({ ...account, spec: { ...Object(account.spec), ...fields } })
  }
  const bcryptPassword = hashFor('Passw0rd!')

  it.each([
    ['a hash', { bcryptPassword }, true],
    ['a password', { password: 'Passw0rd!' }, true],
    ['a session', { bcryptPassword, tokens: [A_TOKEN] }, true],
    ['both password and hash, which no mutation leaves', { bcryptPassword, password: 'Passw0rd!' }, false],
    ['neither', {}, false],
    ['a session with a space in its name', { bcryptPassword, tokens: [{ ...A_TOKEN, name: 'a b' }] }, false],
  ])('has %s', (_, authentication, passes) => expect(having({}, authentication)).toBe(passes))

  it.each([
    ['a name in Chinese', { username: '管理员' }, true],
    ['a name with a space', { username: 'a b' }, false],
    ['a role', { authorization: [{ role: 'operator', flag: 'Demo.*' }] }, true],
    ['no role', { authorization: [] }, true],
    ['a word about it', { extra: ['x'] }, true],
  ])('with %s', (_, fields, passes) => expect(having(fields)).toBe(passes))
})
