import type { CloudflareAccess } from '../../kit/cloudflare.ts'
import { type ClusterReader, type Draft, Fault, map, object, Refused, resource, secret } from '../../kit/schema.ts'
import type { CloudflareCredentials } from '../credentials/schema.ts'
import { isObstacle, type Obstacle } from './account.ts'

export const SECRET = resource(
  { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', scope: 'Namespaced' },
  object({}, { data: map(secret({ doc: 'Value, in base64.' }), { doc: 'Values.' }) }),
)

/** A changed Secret counts after this time at the latest (CF-CRD-07). */
const KEPT_MS = 60_000

interface KeptAccess {
  readonly at: number
  readonly access: Promise<CloudflareAccess | Obstacle>
}
type CredentialsSpec = CloudflareCredentials['spec']

/** What credentials say, read at use: a GET of the one Secret that they name. Nothing of it is stored or told. */
export class Secrets {
  readonly #tick: () => number
  readonly #home: string
  readonly #kept = new Map<string, KeptAccess>()

  /** `home`: where Secrets are that name no namespace. */
  constructor(tick: () => number, home: string) {
    this.#tick = tick
    this.#home = home
  }

  of(spec: CredentialsSpec, live: ClusterReader): Promise<CloudflareAccess | Obstacle> {
    this.#forgetOld()
    const id = idOf(spec)
    const known = this.#kept.get(id)
    if (known !== undefined) return known.access
    const kept = { at: this.#tick(), access: this.#read(spec, live) }
    this.#kept.set(id, kept)
    const drop = () => this.#kept.get(id) === kept && this.#kept.delete(id)
    kept.access.then((access) => isObstacle(access) && drop(), drop)
    return kept.access
  }

  /** Cloudflare does not take it: there may be another one by now. */
  forget(spec: CredentialsSpec): void {
    this.#kept.delete(idOf(spec))
  }

  /** `namespace/name` of the Secret. */
  nameOf({ secretRef: { namespace, name } }: CredentialsSpec): string {
    return `${namespace || this.#home}/${name}`
  }

  #forgetOld(): void {
    for (const [id, { at }] of this.#kept) if (this.#tick() - at >= KEPT_MS) this.#kept.delete(id)
  }

  async #read(spec: CredentialsSpec, live: ClusterReader): Promise<CloudflareAccess | Obstacle> {
    const { namespace, name } = spec.secretRef
    const called = `Secret ${this.nameOf(spec)}`
    try {
      const found = await live.get(SECRET, { namespace: namespace || this.#home, name })
      if (found === undefined) return obstacle(`${called} is not there; create it`)
      return accessIn(spec, found.data ?? {}, called)
    } catch (cause) {
      if (!isForbidden(cause)) throw cause
      return obstacle(
        `${called} may not be read; let a RoleBinding in its namespace give service account tars-controller the right to get it`,
      )
    }
  }
}

const obstacle = (message: string): Obstacle => ({ reason: 'CredentialError', message })
const idOf = ({ authType, secretRef }: CredentialsSpec) => JSON.stringify([authType, secretRef])
const isForbidden = (cause: unknown) =>
  cause instanceof Fault && cause.cause instanceof Refused && cause.cause.status.code === 403

type SecretData = Draft<Readonly<Record<string, string>>>
function accessIn(
  { authType, secretRef }: CredentialsSpec,
  data: SecretData,
  called: string,
): CloudflareAccess | Obstacle {
  const missing = (key: string) => obstacle(`${called} has no usable key ${key}`)
  const { apiTokenKey, apiKeyKey, emailKey } = secretRef
  if (authType !== 'globalAPIKey') {
    const name = apiTokenKey || 'CLOUDFLARE_API_TOKEN'
    const token = valueIn(data, name)
    return token === undefined ? missing(name) : { token }
  }
  const names = { key: apiKeyKey || 'CLOUDFLARE_API_KEY', email: emailKey || 'CLOUDFLARE_EMAIL' }
  const [key, email] = [valueIn(data, names.key), valueIn(data, names.email)]
  if (key === undefined) return missing(names.key)
  return email === undefined ? missing(names.email) : { key, email }
}

/** What can stand in a header; a line break at its end is of the editor that wrote it. */
function valueIn(data: SecretData, key: string): string | undefined {
  const value = Object.hasOwn(data, key) ? data[key] : undefined
  const text = Buffer.from(value ?? '', 'base64')
    .toString('utf8')
    .trim()
  return /^[\x21-\x7e]{1,1024}$/.test(text) ? text : undefined
}
