import type { DraftChange } from '../../kit/admission.ts'
import type { TAccount } from './schema.ts'

type AccountDraft = DraftChange<TAccount>['next']

/** Treats an empty password as absent. */
export function passwordOf(account: AccountDraft): string | undefined {
  return account.spec?.authentication?.password || undefined
}

export function hashOf(account: AccountDraft | undefined): string | undefined {
  return account?.spec?.authentication?.bcryptPassword
}

/** Only a hash of the configured cost can be compared in time: a stored hash may cost far more. */
export function isHashOfCost(hash: string, cost: number): boolean {
  return Number(HASH.exec(hash)?.[1]) === cost
}
const HASH = /^\$2[aby]\$(\d\d)\$[./0-9A-Za-z]{53}$/
