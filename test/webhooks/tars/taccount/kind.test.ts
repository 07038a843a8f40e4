import { describe, expect, it } from 'vitest'
import { taccount } from '../../../../webhooks/tars/taccount/kind.ts'
import { TACCOUNT } from '../../../../webhooks/tars/taccount/schema.ts'
import { A_TOKEN, aTAccount, hashFor } from '../../../support/builders/accounts.ts'

describe('TAccount meets the API server as tars.md 2.1 says', () => {
  it('where accounts are written, and not where they are deleted', () => {
    expect(taccount.doors.map(({ name, path, operations }) => ({ name, path, operations }))).toEqual([
      { name: 'mutating.tars.io', path: '/mutating', operations: ['CREATE', 'UPDATE'] },
      { name: 'validating.tars.io', path: '/validating', operations: ['CREATE', 'UPDATE'] },
    ])
  })
  it('and looks nothing up', () => {
    expect(taccount.reads).toEqual([])
  })
})

describe('an account', () => {
  const fits = (authentication: object, spec: object = {}) => {
    const account = aTAccount({ authentication })
    return TACCOUNT.is({ ...account, spec: { ...Object(account.spec), ...spec } })
  }
  const bcryptPassword = hashFor('Passw0rd!')

  it.each([
    ['a hash', { bcryptPassword }],
    ['a password', { password: 'Passw0rd!' }],
    ['a session', { bcryptPassword, tokens: [A_TOKEN] }],
  ])('has %s', (_, authentication) => expect(fits(authentication)).toBe(true))
  it.each([
    ['both password and hash, which no mutation leaves', { bcryptPassword, password: 'Passw0rd!' }],
    ['neither', {}],
    ['a hash of another length', { bcryptPassword: `${bcryptPassword}x` }],
    ['a session without an end', { bcryptPassword, tokens: [{ name: 'login', content: 'a' }] }],
  ])('has not %s', (_, authentication) => expect(fits(authentication)).toBe(false))
  it.each([
    ['a name in Chinese', { username: '管理员' }, true],
    ['a name with a space', { username: 'a b' }, false],
    ['a role', { authorization: [{ role: 'operator', flag: 'Demo.*' }] }, true],
    ['a role that there is not', { authorization: [{ role: 'root', flag: '*' }] }, false],
    ['no role', { authorization: [] }, true],
    ['no word of roles', { authorization: undefined }, false],
    ['a role for nothing', { authorization: [{ role: 'admin' }] }, false],
    ['a word about it', { extra: ['x'] }, true],
  ])('with %s', (_, spec, passes) => expect(fits({ bcryptPassword }, spec)).toBe(passes))

  const session = (words: object) => fits({ bcryptPassword, tokens: [{ ...A_TOKEN, ...words }] })
  const having = (spec: object) => fits({ bcryptPassword }, spec)
  it.each([
    { name: 'its username', longest: 16, passes: (username: string) => having({ username }) },
    {
      name: 'the place of a role',
      longest: 1_600,
      passes: (flag: string) => having({ authorization: [{ role: 'admin', flag }] }),
    },
    { name: 'a word about it', longest: 1_024, passes: (word: string) => having({ extra: [word] }) },
    { name: 'the name of a session', longest: 32, passes: (name: string) => session({ name }) },
    { name: 'a session', longest: 8_092, passes: (content: string) => session({ content }) },
    { name: 'a password', longest: 32, passes: (password: string) => fits({ password }) },
  ])('$name is of $longest characters at most', ({ longest, passes }) => {
    expect([longest, longest + 1].map((length) => passes('x'.repeat(length)))).toEqual([true, false])
  })
  it.each([
    { name: 'its username', least: 2, passes: (username: string) => having({ username }) },
    { name: 'the name of a session', least: 2, passes: (name: string) => session({ name }) },
    { name: 'a password', least: 6, passes: (password: string) => fits({ password }) },
  ])('$name is of $least characters at least', ({ least, passes }) => {
    expect([least, least - 1].map((length) => passes('x'.repeat(length)))).toEqual([true, false])
  })
  it('has a password whose format forms hide, and an API server does not tell (SC-6)', () => {
    const { properties } = TACCOUNT.schema.properties?.spec?.properties?.authentication ?? {}
    expect(properties?.password?.format).toBe('password')
  })
  it('has activated off and a token valid, unless it says otherwise', () => {
    const { properties } = TACCOUNT.schema.properties?.spec?.properties?.authentication ?? {}
    expect(properties?.activated?.default).toBe(false)
    expect(properties?.tokens?.items?.properties?.valid?.default).toBe(true)
  })
})
