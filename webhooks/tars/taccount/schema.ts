import {
  choice,
  flag,
  type KubeObject,
  LONGEST_LIST,
  list,
  moment,
  object,
  oneOf,
  resource,
  type Shape,
  secret,
  text,
} from '../../kit/schema.ts'
import { tarsResource } from '../names.ts'

const PRINTABLE = '^[\\x21-\\x7e]*$'

const token = object(
  {
    name: text({ minLength: 2, maxLength: 32, pattern: PRINTABLE, doc: 'What the token is known by.' }),
    content: text({ maxLength: 8092, doc: 'The token itself: whoever can read it is logged in.' }),
    expirationTime: moment({ doc: 'When it ends.' }),
  },
  {
    updateTime: moment({ doc: 'When it was issued or last renewed.' }),
    valid: flag({ default: true, doc: 'Whether the token counts.' }),
  },
)

const grant = object(
  {
    role: choice(['admin', 'operator', 'developer'], { doc: 'What the account may do there.' }),
    flag: text({ maxLength: 1600, doc: 'Where: an app, a server of it, or everything, as the web console writes it.' }),
  },
  { updateTime: moment({ doc: 'When it was granted.' }) },
)

const authentication = oneOf(
  object(
    {},
    {
      password: secret({
        minLength: 6,
        maxLength: 32,
        pattern: PRINTABLE,
        doc: 'To be written only: a new password in clear text, which is replaced by its hash before anything is stored.',
      }),
      bcryptPassword: text({
        minLength: 60,
        maxLength: 60,
        doc: 'bcrypt of the SHA-1 of the password in lower-case hex; another one ends all sessions.',
      }),
      activated: flag({ default: false, doc: 'Whether the account may log in.' }),
      tokens: list(token, {
        maxItems: LONGEST_LIST,
        doc: 'Sessions and tokens, which the web console writes. Leave it out of a manifest.',
      }),
    },
    'How the account proves who it is.',
  ),
  ['password', 'bcryptPassword'],
)

const taccount = object({
  spec: object(
    {
      username: text({
        minLength: 2,
        maxLength: 16,
        pattern: '^[\\x21-\\x7e\\p{Han}]*$',
        doc: 'What the account logs in with. The MD5 of it in lower-case hex is the name of the object.',
      }),
      authentication,
      authorization: list(grant, {
        maxItems: LONGEST_LIST,
        doc: 'What the account may do, which the web console writes; empty for a new account.',
      }),
    },
    {
      extra: list(text({ maxLength: 1024, doc: 'A word about the account.' }), {
        doc: 'What else is known of the account.',
      }),
    },
    'Who it is, how that is proved, and what may be done.',
  ),
})
export type TAccount = KubeObject & Shape<typeof taccount>
export const TACCOUNT = resource(tarsResource('TAccount', 'taccounts'), taccount)
