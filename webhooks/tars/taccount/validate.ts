import { md5Of } from '../../../src/kube/digests.ts'
import type { Create, Findings, Rule, RuleWords, Update } from '../../kit/admission.ts'
import type { TAccount } from './schema.ts'

export const PASSWORD_FIELD = 'spec.authentication.password'

/** The mutation refuses with these words; the rule of the same id finds what no mutation saw. Neither shows the password. */
export const BAD_PASSWORD: RuleWords = {
  id: 'TA-V1',
  field: 'spec.authentication.password',
  on: 'write',
  message: () => 'must be 6 to 32 printable ASCII characters without spaces',
  remedy: 'choose another one, in quotes if it is all digits',
}

export const rules: readonly Rule<TAccount>[] = [
  {
    id: 'TA-V1',
    field: 'spec.authentication.password',
    on: 'write',
    evenInWarn: true,
    check: (given) => (isClearAnew(given) ? [{ path: PASSWORD_FIELD }] : []),
    message: () => 'is still there in clear text, for the mutating webhook did not see this write',
    remedy: 'see that tars-admission-mutating is in place, then write it again',
  },
  {
    id: 'TA-V2',
    field: 'metadata.name',
    on: 'write',
    effect: { seed: 'warn', upstream: 'refuse' },
    exemptOnUpdate: ['CTRL'],
    check: misnamed,
    message: ({ value }) => `must be md5 of spec.username ("${value}")`,
    examples: [
      { path: 'metadata.name', value: '<value>' },
      { path: 'metadata.name', value: '<value>', by: ['<username>'] },
    ],
    remedy: ({ by }) => (by ? 'keep the username, or create a new account of that name' : 'give the account that name'),
  },
]

/** A stored account cannot be renamed, so on update the message names its old username. */
function misnamed(given: Create<TAccount> | Update<TAccount>): Findings {
  const { metadata, spec } = given.next
  const value = md5Of(spec.username)
  if (metadata.name === value) return []
  return [{ path: 'metadata.name', value, ...(given.operation === 'UPDATE' && { by: [given.prev.spec.username] }) }]
}

/**
 * A clear password that is stored already does not block other edits (CV-8). This compares passwords itself, because
 * a finding that distinguishes two passwords would have to contain them.
 */
function isClearAnew(given: Create<TAccount> | Update<TAccount>): boolean {
  const { password } = given.next.spec.authentication
  const stored = given.operation === 'UPDATE' ? given.prev.spec.authentication.password : undefined
  return password !== undefined && password !== stored
}
