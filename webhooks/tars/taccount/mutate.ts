import { sha1Of } from '../../../src/kube/digests.ts'
import {
  type DraftChange,
  drop,
  type Edit,
  type Mutation,
  type Refusal,
  type Removal,
  set,
} from '../../kit/admission.ts'
import type { Remotes } from '../../kit/controller.ts'
import type { ClusterReader } from '../../kit/schema.ts'
import { NOTES, notesIn } from './notes.ts'
import type { TAccount } from './schema.ts'
import { BCRYPT_COST } from './settings.ts'
import { hashOf, isHashOfCost, passwordOf } from './shape.ts'
import { BAD_PASSWORD, PASSWORD_FIELD } from './validate.ts'

const PASSWORD = '/spec/authentication/password'
const HASH = '/spec/authentication/bcryptPassword'
const TOKENS = '/spec/authentication/tokens'
const MAY_HOLD = 'it may hold a password'
const TAKEN = /^[\x21-\x7e]{6,32}$/

const REFUSED: Refusal = { refuse: BAD_PASSWORD, findings: [{ path: PASSWORD_FIELD }] }

type AccountDraftChange = DraftChange<TAccount>

/**
 * Removes first what must never be stored. A password that equals the stored one is removed before it is hashed again
 * (TA-M8), since hashing the same password twice gives two hashes.
 */
export const mutations: readonly Mutation<TAccount>[] = [
  {
    id: 'TA-M6',
    says: `removes annotations ${NOTES.join(', ')}, in which a clear password would stay, and all that hold this one`,
    why: MAY_HOLD,
    edits: ({ next }) => notesIn(next).map(drop),
  },
  {
    id: 'TA-M2',
    says: 'removes an empty spec.authentication.password, which is none',
    when: ({ next }) => next.spec?.authentication?.password === '',
    edits: () => [drop(PASSWORD)],
  },
  {
    id: 'TA-M8',
    says: 'removes a spec.authentication.password that is the stored one already, and keeps hash and tokens',
    why: 'the password is the stored one',
    when: ({ next }) => TAKEN.test(passwordOf(next) ?? ''),
    edits: keepHash,
  },
  {
    id: 'TA-M1',
    says:
      'replaces spec.authentication.password by its hash in spec.authentication.bcryptPassword, whatever stands there (TA-M7), ' +
      'and ends all sessions; refuses a password that is not 6 to 32 printable ASCII characters without spaces (TA-V1)',
    why: 'a password is stored as its hash and ends all sessions',
    refuses: BAD_PASSWORD,
    when: ({ next }) => passwordOf(next) !== undefined,
    edits: hashPassword,
  },
  {
    id: 'TA-M3',
    says: 'empties spec.authentication.tokens when the hash is another one; otherwise they stay (TA-M5)',
    why: 'another hash ends all sessions',
    when: ({ operation, next, prev }) => operation === 'UPDATE' && hashOf(next) !== hashOf(prev),
    edits: () => [set(TOKENS, [])],
  },
  {
    id: 'TA-M4',
    says: 'empties spec.authentication.tokens of a new account',
    why: 'a new account has no sessions',
    when: ({ operation }) => operation === 'CREATE',
    edits: () => [set(TOKENS, [])],
  },
]

export const removals: readonly Removal[] = [
  { id: 'TA-M6', path: notesIn, on: 'write', why: MAY_HOLD },
  { id: 'TA-M1', path: PASSWORD, on: 'write', why: 'a clear password is never stored', misfit: REFUSED },
]

async function keepHash(
  { next, prev, settings }: AccountDraftChange,
  _: ClusterReader,
  { passwords }: Remotes,
): Promise<readonly Edit[]> {
  const [password, hash] = [passwordOf(next), hashOf(prev)]
  if (password === undefined || hash === undefined || !isHashOfCost(hash, settings.get(BCRYPT_COST))) return []
  if (!(await passwords.verify(sha1Of(password), hash))) return []
  const tokens = prev?.spec?.authentication?.tokens
  return [drop(PASSWORD), set(HASH, hash), tokens === undefined ? drop(TOKENS) : set(TOKENS, tokens)]
}

/** A password takes precedence over a hash beside it (TA-M7). */
async function hashPassword(
  { next, settings }: AccountDraftChange,
  _: ClusterReader,
  { passwords }: Remotes,
): Promise<readonly Edit[] | Refusal> {
  const password = passwordOf(next) ?? ''
  if (!TAKEN.test(password)) return REFUSED
  const hash = await passwords.hash(sha1Of(password), settings.get(BCRYPT_COST))
  return [drop(PASSWORD), set(HASH, hash), set(TOKENS, [])]
}
