import { isTree, type Tree } from '../../../src/schema.ts'
import { TACCOUNT } from '../../../webhooks/tars/taccount/schema.ts'
import { MUTATING } from '../../support/answerer-parts.ts'
import { A_TOKEN, aTAccount, hashFor } from '../../support/builders/accounts.ts'
import { GOING } from '../../support/builders/templates.ts'
import { asking, bomb, many, over, reworded, STATUS, table } from './entry.ts'

const stored = aTAccount()
const { creationOf, having, isNew, isMade, isChanged, isRemade, made, isForced } = asking(TACCOUNT, stored)
const HASH = hashFor('Passw0rd!')
const SECRET = 'hunter2'
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'
const inSpec = (fields: Tree) => having({ spec: { ...(isTree(stored.spec) ? stored.spec : {}), ...fields } })
const proved = (authentication: unknown) => inSpec({ authentication })
/** Written to be hashed, in clear text. */
const password = (value: unknown, more: Tree = {}, word?: string) => isMade(proved({ password: value, ...more }), word)
const inClear = (value: unknown) => isNew(proved({ password: value }))
const applied = (text: unknown, object: Tree = stored) =>
  isMade(over(object, {}, { annotations: { [LAST_APPLIED]: text } }))
/** On an object being deleted, beside the hash that is stored. */
const ending = (more: Tree) =>
  isRemade(over(proved({ bcryptPassword: HASH }), {}, GOING), proved({ bcryptPassword: HASH, ...more }))
const withToken = (fields: Tree) => isNew(proved({ bcryptPassword: HASH, tokens: [{ ...A_TOKEN, ...fields }] }))

export const TACCOUNTS = table`
  allowed
    an account with nothing wrong | ${isNew(stored)}
    a password in a list of authentications | ${isMade(proved([{ password: SECRET }]))}
    a password in spec | ${isMade(inSpec({ password: SECRET }))}
    no authentication, to be mutated | ${isMade(inSpec({ authentication: undefined }))}
    authentication null, to be mutated | ${isMade(proved(null))}
    no spec, to be mutated | ${made({ spec: undefined })}
    a list for the spec, to be mutated | ${made({ spec: [] })}
    a hash that is none | ${isNew(proved({ bcryptPassword: 'x'.repeat(60) }))}
    a username in Chinese | ${isNew(aTAccount({ username: '管理员' }))}
    10,000 tokens | ${isNew(proved({ bcryptPassword: HASH, tokens: many(10_000, () => A_TOKEN) }))}
    an extra of 10,000 words | ${isNew(inSpec({ extra: many(10_000, () => 'x') }))}
    200 managedFields and a forced server-side apply | ${isForced(MUTATING)}
    __proto__ with a password | ${reworded(creationOf(stored), '"authentication":{', '"__proto__":{"password":"hunter2"},"authentication":{', MUTATING)}
    an empty authentication | ${isNew(proved({}))}
    a hash of 59 characters | ${isNew(proved({ bcryptPassword: HASH.slice(1) }))}
    a username of one character | ${isNew(aTAccount({ username: 'a' }))}
    a username of 17 characters | ${isNew(aTAccount({ username: 'a'.repeat(17) }))}
    a username in unicode | ${isNew(aTAccount({ username: 'größe' }))}
    a username with a space | ${isNew(aTAccount({ username: 'a b' }))}
    a username with NUL | ${isNew(aTAccount({ username: 'ab\0' }))}
    a regex bomb for the username | ${isNew(aTAccount({ username: bomb(' ') }))}
    a regex bomb for a token | ${withToken({ name: bomb(' ') })}
    a token that ends at 9999-99-99 | ${withToken({ expirationTime: '9999-99-99T99:99:99Z' })}
    a token that ends at 24:00:00 | ${withToken({ expirationTime: '2026-11-18T24:00:00Z' })}
    a token that ends at +99:99 | ${withToken({ expirationTime: '2026-11-18T12:00:00+99:99' })}
    a token that ends with words behind the time | ${withToken({ expirationTime: '2026-11-18T12:00:00Ztea' })}
    a token of 8,093 characters | ${withToken({ content: 'x'.repeat(8_093) })}
    a role that there is not | ${isNew(inSpec({ authorization: [{ role: 'root', flag: '*' }] }))}
  patched [{"op":"remove","path":"/spec/authentication/password"},{"op":"add","path":"/spec/authentication/bcryptPassword","value":"$2a$10$ac570ab45c0dcdcbc230154dcc420dc3cc6c5a9ba3eba65c5b4bc"},{"op":"add","path":"/spec/authentication/tokens","value":[]}]
  spec.authentication.password: removed, for a password is stored as its hash and ends all sessions (TA-M1)
    a password | ${password(SECRET)}
    a password that stands twice, of which the last counts | ${password('#', {}, '"first hunter2","password":"hunter2"')}
    another password | ${isRemade(stored, proved({ password: SECRET }))}
    a password where the stored hash costs 31 | ${isRemade(proved({ bcryptPassword: HASH.replace('$10$', '$31$') }), proved({ password: SECRET }))}
    a password beside a hash | ${password(SECRET, { bcryptPassword: HASH })} | {} | spec.authentication.bcryptPassword: replaced, for a password is stored as its hash and ends all sessions (TA-M1)
    10,000 tokens beside a password | ${password(SECRET, { tokens: many(10_000, () => A_TOKEN) })} | {} | spec.authentication.tokens: replaced, for a password is stored as its hash and ends all sessions (TA-M1)
    a password where what is stored fits no schema | ${isRemade(inSpec({ username: 7 }), proved({ password: SECRET }))}
  Invalid spec.authentication.password: must be 6 to 32 printable ASCII characters without spaces; choose another one, in quotes if it is all digits (TA-V1)
    a password of 72 bytes | ${password('x'.repeat(72))}
    a password of 73 bytes | ${password('x'.repeat(73))}
    a password of 1 MB | ${password('x'.repeat(1_000_000))}
    a password of 33 characters | ${password('x'.repeat(33))}
    a password of 5 characters | ${password('12345')}
    a password in unicode | ${password('größe-größe')}
    a password of smileys | ${password('😀😀😀😀😀😀')}
    a password with a space | ${password('hunter 2')}
    a password with a line break | ${password('hunter2\n')}
    a password with NUL | ${password('hunter\x002')}
    a password with a lone surrogate | ${password('#', {}, '"hunter\\ud800"')}
    a password in full-width letters | ${password('ｈｕｎｔｅｒ２')}
    a number for a password | ${password(1234567)}
    a number for a password beside a hash | ${password(1234567, { bcryptPassword: HASH })}
    an object for a password | ${password({ hunter2: 'hunter2' })}
    a list for a password | ${password([SECRET])}
    null for a password | ${password(null)}
    true for a password | ${password(true)}
    1e400 for a password | ${password('#', {}, '1e400')}
  patched {}
    a password of 32 characters | ${password('x'.repeat(32))} | [{"op":"remove","path":"/spec/authentication/password"},{"op":"add","path":"/spec/authentication/bcryptPassword","value":"$2a$10$880f674bec336f4cc4bf77867a9e381ca11b5c56346cac912d756"},{"op":"add","path":"/spec/authentication/tokens","value":[]}] | spec.authentication.password: removed, for a password is stored as its hash and ends all sessions (TA-M1)
    an empty authentication, to be mutated | ${isMade(proved({}))} | [{"op":"add","path":"/spec/authentication/tokens","value":[]}]
    a hash in place of another, and tokens | ${isRemade(stored, proved({ activated: true, bcryptPassword: hashFor('another'), tokens: [A_TOKEN] }))} | [{"op":"add","path":"/spec/authentication/tokens","value":[]}] | spec.authentication.tokens: replaced, for another hash ends all sessions (TA-M3)
    a password in last-applied-configuration of an object of wrong types | ${applied(SECRET, inSpec({ username: 7 }))} | [{"op":"remove","path":"/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration"}] | spec.username: is a number, and a text belongs there; write it in quotes | metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]: removed, for it may hold a password (TA-M6)
  patched [{"op":"remove","path":"/spec/authentication/password"},{"op":"add","path":"/spec/authentication/tokens","value":[]}]
    an empty password | ${password('')}
    the stored password again | ${isRemade(stored, proved({ password: 'Passw0rd!', bcryptPassword: HASH }))} | {} | spec.authentication.password: removed, for the password is the stored one (TA-M8)
    an empty password beside a hash | ${password('', { bcryptPassword: HASH })}
  patched [{"op":"remove","path":"/spec/authentication/password"}]
  {}: is a number, and a text belongs there; write it in quotes
  spec.authentication.password: removed, for a clear password is never stored (TA-M1)
    a password beside a number for a hash | ${password(SECRET, { bcryptPassword: 7 })} | spec.authentication.bcryptPassword
    a password beside a number for the username | ${isMade(inSpec({ username: 7, authentication: { password: SECRET } }))} | spec.username
    a number for a password and for the username | ${isMade(inSpec({ username: 7, authentication: { password: 7 } }))} | spec.username
  patched [{"op":"remove","path":"/spec/authentication/password"}]
  spec.authentication.password: removed, for a clear password is never stored (TA-M1)
    a password beside a list for tokens | ${password(SECRET, { tokens: [1] })}
    a password where the labels are numbers | ${isMade(over(proved({ password: SECRET }), {}, { labels: { a: 1 } }))}
    a password of an object being deleted | ${ending({ password: SECRET })}
    a number for the password of an object being deleted | ${ending({ password: 7 })}
  Invalid spec.authentication.password: is still there in clear text, for the mutating webhook did not see this write; see that tars-admission-mutating is in place, then write it again (TA-V1)
    a password in clear text that no mutation saw | ${inClear(SECRET)}
    a password in clear text that no mutation saw, where another is stored so | ${isChanged(proved({ password: 'Passw0rd!' }), proved({ password: SECRET }))}
    a password in clear text that no mutation saw, where the first one is stored so | ${isChanged(proved({ password: SECRET }), proved({ password: 'Passw0rd!' }))}
    a password of 72 bytes that no mutation saw | ${inClear('x'.repeat(72))}
  patched [{"op":"remove","path":"/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration"}]
  metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]: removed, for it may hold a password (TA-M6)
    a password in last-applied-configuration | ${applied(`{"spec":{"authentication":{"password":"${SECRET}"}}}`)}
    a number for last-applied-configuration | ${applied(7)}
  allowed metadata.name: must be md5 of spec.username ("{}"); give the account that name (TA-V2)
    a name that is not the MD5 of the username | ${isNew(aTAccount({ name: 'admin' }))} | 21232f297a57a5a743894a0e4a801fc3
    a name in capitals | ${isNew(aTAccount({ name: '21232F297A57A5A743894A0E4A801FC3' }))} | 21232f297a57a5a743894a0e4a801fc3
    a name of 254 characters | ${isNew(aTAccount({ name: 'a'.repeat(254) }))} | 21232f297a57a5a743894a0e4a801fc3
    a username with a lone surrogate | ${isNew(inSpec({ username: '#' }), '"ab\\ud800"')} | 097137c7a0ce59239159d529b42a9a8f
  allowed {}
    a status-only update | ${isChanged(stored, stored, STATUS)} | no handler for UPDATE of taccounts/status v1beta2 on /validating
    another username for an account that is there | ${isChanged(stored, inSpec({ username: 'root' }))} | metadata.name: must be md5 of spec.username ("63a9f0ea7bb98050796b649e85481845"); keep the username, or create … (TA-V2)
    a number for a password that no mutation saw | ${inClear(1234567)} | spec.authentication.password: of another shape than this tars-admission knows, so the object is not checked (CV-8)
    no authentication | ${isNew(inSpec({ authentication: undefined }))} | spec.authentication: of another shape than this tars-admission knows, so the object is not checked (CV-8)
    a token that ends at a list | ${withToken({ expirationTime: [] })} | spec.authentication.tokens[0].expirationTime: of another shape than this tars-admission knows, so the object is … (CV-8)
    a token that ends at null | ${withToken({ expirationTime: null })} | spec.authentication.tokens[0].expirationTime: of another shape than this tars-admission knows, so the object is … (CV-8)
`
