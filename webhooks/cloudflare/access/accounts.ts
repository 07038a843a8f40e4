import { type Cloudflare, type CloudflareAccess, CloudflareFault, RecentMap } from '../../kit/cloudflare.ts'
import { all, type Watch } from '../../kit/controller.ts'
import type { ClusterReader, Draft, Settings } from '../../kit/schema.ts'
import { type CloudflareCredentials, CREDENTIALS } from '../credentials/schema.ts'
import type { CloudflareDetails } from '../fields.ts'
import { CLOUDFLARE_NAMESPACE } from '../settings.ts'
import { type AccountRef, isObstacle, type Obstacle, type RemoteAccount } from './account.ts'
import { SECRET, Secrets } from './secrets.ts'

/** What of an object says which account it belongs to. */
export type AccountDetails = Draft<Pick<CloudflareDetails, 'credentialsRef' | 'accountId' | 'accountName' | 'secret'>>

interface CredentialReaders {
  readonly cached: ClusterReader
  readonly live: ClusterReader
}

/** Every controller that asks Cloudflare states these. */
export const CREDENTIALS_WATCH: Watch = all(CREDENTIALS, (_, among) => among.all(''))
export const credentialReads = (settings: Settings) => [
  { resource: SECRET, asks: ['get'], within: { namespace: settings.get(CLOUDFLARE_NAMESPACE) } } as const,
]

/** More than are at work at one time: a turn looks them up, and then writes. */
const MOST_CREDENTIALS = 1_000

/** How controllers reach Cloudflare: by the credentials that an object names, or else the default ones (CF-CRD-07). */
export class RemoteAccounts {
  readonly #api: Cloudflare
  readonly #secrets: Secrets
  /** As they were seen last, by their names. */
  readonly #specs = new RecentMap<CloudflareCredentials['spec']>(MOST_CREDENTIALS)

  constructor(api: Cloudflare, settings: Settings) {
    this.#api = api
    this.#secrets = new Secrets(() => api.tick(), settings.get(CLOUDFLARE_NAMESPACE))
  }

  /** The account of an object, for observe. */
  async of(details: AccountDetails, { cached, live }: CredentialReaders): Promise<RemoteAccount | Obstacle> {
    const ref = await this.refOf(details, cached)
    return isObstacle(ref) ? ref : this.at(ref, live)
  }

  /** For perform, which gets what observe answered as names. */
  async at({ id, credentials }: AccountRef, live: ClusterReader): Promise<RemoteAccount | Obstacle> {
    const spec = this.#specs.get(credentials)
    if (spec === undefined) return missing(`CloudflareCredentials ${credentials} is not known yet`)
    const access = await this.#secrets.of(spec, live)
    return isObstacle(access) ? access : this.#account({ id, credentials }, access, spec)
  }

  /** The same as names alone: no Secret is read. */
  async refOf(details: AccountDetails, cached: ClusterReader): Promise<AccountRef | Obstacle> {
    const found = await credentialsOf(details, cached)
    if (isObstacle(found)) return found
    this.#specs.set(found.metadata.name, found.spec)
    const { accountId, accountName } = details
    if (accountName && !accountId && accountName !== found.spec.accountName)
      return { reason: 'InvalidConfig', message: 'spec.cloudflare.accountName is not looked up; name accountId' }
    return { id: accountId || found.spec.accountId, credentials: found.metadata.name }
  }

  #account(ref: AccountRef, access: CloudflareAccess, spec: CloudflareCredentials['spec']): RemoteAccount {
    const asked = async <A>(ask: Promise<A>): Promise<A> => {
      try {
        return await ask
      } catch (cause) {
        throw this.#explained(cause, ref, spec)
      }
    }
    const params = (own: Readonly<Record<string, string>> = {}) => ({ account: ref.id, ...own })
    return {
      ...ref,
      ask: (call, question = {}) =>
        asked(this.#api.ask(call, { ...question, access, params: params(question.params) })),
      list: (call, question = {}) =>
        asked(this.#api.list(call, { ...question, access, params: params(question.params) })),
    }
  }

  /** Names what has to be mended, and reads the Secret again next time. */
  #explained(cause: unknown, { credentials }: AccountRef, spec: CloudflareCredentials['spec']): unknown {
    if (!(cause instanceof CloudflareFault) || cause.code !== 'REMOTE_DENIED') return cause
    this.#secrets.forget(spec)
    const { httpStatus, codes } = cause
    const message = `${cause.message} (CloudflareCredentials ${credentials}, Secret ${this.#secrets.nameOf(spec)})`
    return new CloudflareFault('REMOTE_DENIED', message, { httpStatus, codes })
  }
}

type UsableCredentials = CloudflareCredentials | Obstacle
const missing = (message: string): Obstacle => ({ reason: 'CredentialError', message })

async function credentialsOf({ credentialsRef, secret }: AccountDetails, cached: ClusterReader) {
  if (credentialsRef?.name) return credentialsNamed(credentialsRef.name, cached)
  if (secret)
    return missing(
      'spec.cloudflare.secret is not read; create a CloudflareCredentials for it, and name that in spec.cloudflare.credentialsRef',
    )
  return defaultCredentials(cached)
}

async function credentialsNamed(name: string, cached: ClusterReader): Promise<UsableCredentials> {
  const found = await cached.get(CREDENTIALS, { namespace: '', name })
  if (found === undefined) return missing(`CloudflareCredentials ${name} is not there; create it`)
  return usable(found)
}

async function defaultCredentials(cached: ClusterReader): Promise<UsableCredentials> {
  const found = await cached.list(CREDENTIALS, { namespace: '' })
  const [first, ...others] = found.filter(({ spec }) => spec?.isDefault === true)
  if (first === undefined)
    return missing(
      'no CloudflareCredentials is the default; create one with spec.isDefault, or name one by credentialsRef',
    )
  if (others.length === 0) return usable(first)
  const names = [first, ...others].map(({ metadata: { name } }) => name).sort()
  return missing(
    `CloudflareCredentials ${names.join(' and ')} are both the default; leave one, or name one by credentialsRef`,
  )
}

function usable(
  found: Draft<CloudflareCredentials> & { readonly metadata: { readonly name: string } },
): UsableCredentials {
  return CREDENTIALS.isOutline(found) ? found : missing(`CloudflareCredentials ${found.metadata.name} is not complete`)
}
