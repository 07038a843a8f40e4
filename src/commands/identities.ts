import type { Identities } from '../admission/identities.ts'

const ACCOUNTS = ['tars-controller', 'tars-webhook']
/** Whom the webhook writes as, in an installation as it is printed. */
export const OURSELVES = 'system:serviceaccount:tars-system:tars-webhook'

/** Our own service accounts, and whom the operator adds to them (tars.md 1.5). */
export function identitiesOf({ namespace = 'tars-system', controllers }: Installed): Identities {
  return { controllers: [...ACCOUNTS.map((name) => `system:serviceaccount:${namespace}:${name}`), ...controllers] }
}

interface Installed {
  readonly namespace?: string
  readonly controllers: readonly string[]
}
