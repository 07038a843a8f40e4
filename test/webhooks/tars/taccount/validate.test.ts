import { describe, expect, it } from 'vitest'
import type { AnswererParts } from '../../../../src/admission/answer.ts'
import { TACCOUNT } from '../../../../webhooks/tars/taccount/schema.ts'
import { answered, CTRL, VALIDATING, wordsOf } from '../../../support/answerer-parts.ts'
import { aTAccount, hashFor } from '../../../support/builders/accounts.ts'
import { reviewsOf, type Sent } from '../../../support/reviews.ts'

const { creationOf, updateOf, deletionOf } = reviewsOf(TACCOUNT)
const answerTo = async (body: unknown, wishes: Partial<AnswererParts> = {}) =>
  wordsOf(await answered(VALIDATING, body, wishes))

describe('TA-V1 in the validating phase: a password that no mutation saw', () => {
  const REFUSED =
    '422 Invalid: spec.authentication.password: is still there in clear text, for the mutating webhook did not see ' +
    'this write; see that tars-admission-mutating is in place, then write it again (TA-V1)'
  const clear = aTAccount({ authentication: { password: 'Passw0rd!' } })

  it('is refused on CREATE, and not told', async () => {
    expect(await answerTo(creationOf(clear))).toBe(REFUSED)
  })
  it('is refused on UPDATE', async () => {
    expect(await answerTo(updateOf(aTAccount(), clear))).toBe(REFUSED)
  })
  it('is refused where another one is stored in clear text, and neither is told', async () => {
    const other = aTAccount({ authentication: { password: 'An0ther1!' } })
    const answer = await answered(VALIDATING, updateOf(clear, other))
    expect(wordsOf(answer)).toBe(REFUSED)
    expect(JSON.stringify(answer.response)).not.toMatch(/Passw0|w0rd!|An0th|ther1!/)
  })
  it('is refused in a dry run', async () => {
    expect(await answerTo(creationOf(clear, { dryRun: true }))).toBe(REFUSED)
  })
  it('lets what is stored so be edited otherwise (CV-8)', async () => {
    expect(await answerTo(updateOf(clear, clear))).toBe('allowed')
  })
  it.each([
    ['a hash passes', aTAccount()],
    ['a hash and sessions pass', aTAccount({ authentication: { bcryptPassword: hashFor('Passw0rd!') } })],
  ])('%s', async (_, object) => {
    expect(await answerTo(creationOf(object))).toBe('allowed')
  })
  it('is refused where refusals are only told of as well (UX-3)', async () => {
    expect(wordsOf(await answered(VALIDATING, creationOf(clear), { enforce: 'warn' }))).toBe(REFUSED)
  })
  it('is asked of an account being deleted, but for its finalizers (W-7)', async () => {
    expect(await answerTo(updateOf(aTAccount({ going: true }), clear))).toBe(REFUSED)
    const { spec } = clear
    const [old, next] = [['x'], []].map((finalizers) => ({ ...aTAccount({ going: true, finalizers }), spec }))
    expect(await answerTo(updateOf(old, next))).toBe('allowed')
  })
})

describe('TA-V2 an account is named by the MD5 of its username', () => {
  const admin = aTAccount({ username: 'admin', name: '21232f297a57a5a743894a0e4a801fc3' })
  const other = aTAccount({ username: 'admin', name: 'admin' })
  const WORDS =
    'metadata.name: must be md5 of spec.username ("21232f297a57a5a743894a0e4a801fc3"); ' +
    'give the account that name (TA-V2)'
  const WARNED = `allowed\nwarning: ${WORDS}`
  const REFUSED = `422 Invalid: ${WORDS}`
  const RENAMED = REFUSED.replace(/give .* name/, 'keep the username, or create a new account of that name')
  const upstream = { profile: 'upstream' } as const

  it.each([
    ['its own passes', admin, 'allowed'],
    ['another is warned of', other, WARNED],
  ])('%s in profile seed', async (_, object, words) => {
    expect(await answerTo(creationOf(object))).toBe(words)
  })
  it.each([
    ['its own passes', admin, 'allowed'],
    ['another is refused', other, REFUSED],
    [
      'of a username in Chinese, by its UTF-8',
      aTAccount({ username: '管理员', name: 'x' }),
      REFUSED.replace(/"\w+"/, '"b1dae9bc5cabbc13e4bee21af11cdb8d"'),
    ],
  ])('%s in profile upstream', async (_, object, words) => {
    expect(await answerTo(creationOf(object), upstream)).toBe(words)
  })
  it('holds on UPDATE: a username stays', async () => {
    const renamed = aTAccount({ username: 'root', name: '21232f297a57a5a743894a0e4a801fc3' })
    expect(await answerTo(updateOf(admin, renamed), upstream)).toBe(
      '422 Invalid: metadata.name: must be md5 of spec.username ("63a9f0ea7bb98050796b649e85481845"); ' +
        'keep the username, or create a new account of that name (TA-V2)',
    )
    expect(await answerTo(updateOf(admin, renamed))).toMatch(
      /^allowed\nwarning: .*; keep the username, or.*… \(TA-V2\)$/,
    )
  })
  it('lets an old account of another name be edited otherwise (CV-8)', async () => {
    expect(await answerTo(updateOf(other, other), upstream)).toBe('allowed')
  })
  it.each<{ name: string; sent: Sent; words: string }>([
    { name: 'a normal user', sent: { user: 'ann' }, words: RENAMED },
    { name: 'our controller', sent: { user: CTRL }, words: 'allowed' },
    {
      name: 'a controller of Kubernetes',
      sent: { user: 'system:serviceaccount:kube-system:namespace-controller' },
      words: RENAMED,
    },
    { name: 'the controller manager', sent: { user: 'system:kube-controller-manager' }, words: RENAMED },
  ])('on UPDATE it does not bind our controllers: $name', async ({ sent, words }) => {
    const before = aTAccount({ username: 'root', name: 'admin' })
    expect(await answerTo(updateOf(before, other, sent), upstream)).toBe(words)
  })
  it('on CREATE it binds them too', async () => {
    expect(await answerTo(creationOf(other, { user: CTRL }), upstream)).toBe(REFUSED)
  })
  it('says the same in a dry run', async () => {
    expect(await answerTo(creationOf(other, { dryRun: true }), upstream)).toBe(REFUSED)
  })
  it('is a warning that an API server does not cut (AP-9)', async () => {
    expect(WORDS.length).toBeLessThanOrEqual(120)
  })
})

it('nobody asks when an account is deleted', async () => {
  expect(await answerTo(deletionOf(aTAccount()))).toBe(
    'allowed\nwarning: no handler for DELETE of taccounts v1beta2 on /validating',
  )
})
