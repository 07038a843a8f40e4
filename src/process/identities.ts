import { CONTROLLER, type Identities } from '../admission/identities.ts'
import type { Cluster } from '../cluster/port.ts'
import { HOME } from '../config.ts'
import { accountName } from '../kube/names.ts'
import { IDENTITY } from '../print/objects.ts'
import type { Log } from '../telemetry/log.ts'

const ACCOUNTS = [CONTROLLER, IDENTITY]
/** The user that the webhook writes as, in an installation as printed. */
export const ourselvesIn = (namespace: string) => accountName(namespace, IDENTITY)
/** The user that the worker writes as, likewise. */
export const workerIn = (namespace: string) => accountName(namespace, CONTROLLER)
export const OURSELVES = ourselvesIn(HOME)

/** Our own service accounts, and the users that the operator adds (tars.md 1.5). */
export function identitiesOf({ namespace = HOME, controllers }: Installed): Identities {
  return { controllers: [...ACCOUNTS.map((name) => accountName(namespace, name)), ...controllers] }
}

interface Installed {
  readonly namespace?: string
  readonly controllers: readonly string[]
}

interface There {
  readonly config: Installed
  readonly cluster: Pick<Cluster, 'user'>
  readonly log: Log
}

/**
 * Adds the user that the API server authenticates us as: our marks come back for review as that user's. TC-M10 would
 * remove the time of a mark that seems to be set by hand, and such a mark counts for good (TC-S6).
 */
export async function identitiesThere({ config, cluster, log }: There): Promise<Identities> {
  const known = identitiesOf(config)
  const user = await cluster.user().catch((err: unknown) => log.warn({ err }, UNTOLD))
  if (user === undefined || known.controllers.includes(user)) return known
  log.info({ user }, 'we write as this user, who counts as our own beside the service accounts')
  return { controllers: [...known.controllers, user] }
}
const UNTOLD = `the API server does not say as whom we write: unless it is service account ${IDENTITY}, name that user with --controllers, or our marks count as set by hand`
