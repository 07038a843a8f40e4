import { certificatesOf } from '../../certs/chain.ts'
import { type Laid, standingIn } from '../../certs/folder.ts'
import { certificateOf, requireKey } from '../../certs/pair.ts'
import { placeOf, SECRETS, textIn } from '../../certs/source.ts'
import { type Part, type Reached, reachedBy, type Standing, type Trouble } from '../../certs/status.ts'
import type { Inquired } from '../cluster/kube/inquiry.ts'
import type { Built, Gvr, Ref } from '../cluster/port.ts'
import type { Config } from '../config.ts'
import { Fault } from '../faults.ts'
import { CERT_SECRET, SERVICE } from '../print/objects.ts'
import type { RegisteredConfiguration } from '../process/configurations.ts'
import { pairFolder } from '../process/files.ts'
import { chainServedAt } from './served-chain.ts'

/** The certificates that were found. */
export interface CertificatesFound extends Standing {
  readonly troubles: readonly Trouble[]
  /** What could not be asked. */
  readonly unsaid: readonly Trouble[]
}
export type ReadObject = (of: Gvr, ref: Ref) => Promise<Inquired>

const NOTHING = { parts: [], webhooks: [], troubles: [], unsaid: [] }
type Some = Partial<CertificatesFound>

/** Reports what is out of reach, and looks at the rest. */
export async function certificatesFound(
  config: Config,
  configurations: readonly RegisteredConfiguration[],
  look: () => Promise<ReadObject>,
): Promise<CertificatesFound> {
  const { server } = config
  const looks = [
    inCluster(config, configurations, look),
    ...(config.certs === 'files' ? [inFolder(config)] : []),
    ...(server === undefined ? [] : [servedAt(server)]),
  ]
  const all = await Promise.all(looks.map((each) => each.catch(outOfReach(looks.length === 1))))
  return all.reduce<CertificatesFound>(together, { source: config.certs, ...NOTHING })
}

function together(one: CertificatesFound, other: Some): CertificatesFound {
  return {
    source: other.source ?? one.source,
    parts: [...one.parts, ...(other.parts ?? [])],
    webhooks: [...one.webhooks, ...(other.webhooks ?? [])],
    troubles: [...one.troubles, ...(other.troubles ?? [])],
    unsaid: [...one.unsaid, ...(other.unsaid ?? [])],
  }
}

/** Without a cluster, what else the user names is looked at. */
function outOfReach(isOnlyLook: boolean): (error: unknown) => Some {
  return (error) => {
    const isPassing = error instanceof Fault && (error.retry || (error.code === 'USAGE' && !isOnlyLook))
    if (isPassing) return { unsaid: [{ what: error.message }] }
    throw error
  }
}

async function servedAt(server: string): Promise<Some> {
  return { parts: [{ role: 'serving', place: new URL(server).origin, chain: await chainServedAt(server) }] }
}

async function inFolder(config: Config): Promise<Some> {
  const folder = pairFolder(config)
  try {
    return pairIn(await standingIn(folder), folder)
  } catch (error) {
    if (error instanceof Fault) return { troubles: [{ what: error.message }] }
    throw error
  }
}

async function inCluster(
  config: Config,
  configurations: readonly RegisteredConfiguration[],
  looking: () => Promise<ReadObject>,
): Promise<Some> {
  const { namespace, certs } = config
  const look = await looking()
  const secret = { namespace, name: CERT_SECRET }
  const found = await Promise.all([
    certs === 'files' ? {} : look(SECRETS, secret).then((stored) => inSecret(stored, secret, config)),
    ...configurations.map(async ({ of, name }) =>
      inConfiguration(await look(of, { namespace: '', name }), `${of.kind} ${name}`, config),
    ),
  ])
  return found.reduce<CertificatesFound>(together, { source: certs, ...NOTHING })
}

const INSTALL = 'tars-admission manifests | kubectl apply -f - brings it'

function inSecret(seen: Inquired, ref: Ref, { certs }: Config): Some {
  const place = placeOf(ref)
  if (seen === 'absent') return { troubles: [{ what: `${place} does not exist`, remedy: INSTALL }] }
  if (seen === 'barred') return { unsaid: [{ what: `you may not read ${place}`, remedy: SECRET_REMEDY }] }
  const laid = { cert: textIn(seen, 'tls.crt'), key: textIn(seen, 'tls.key'), ca: textIn(seen, 'ca.crt') }
  return sourceIn(seen, certs) === 'secret' ? { source: 'secret', ...pairIn(laid, place) } : authorityIn(laid, place)
}
const SECRET_REMEDY = 'ask for the right to get it, or have a running webhook asked with --server URL'

/** The content of the Secret shows who writes it. */
function sourceIn(secret: Built, configured: Config['certs']): Config['certs'] {
  const [isAuthority, isPair] = [textIn(secret, 'ca.key') !== '', textIn(secret, 'tls.crt') !== '']
  if (isAuthority === isPair) return configured
  return isPair ? 'secret' : 'self'
}

function authorityIn({ ca }: Pick<Laid, 'ca'>, place: string): Some {
  const parts = authoritiesIn(ca, place)
  const troubles = parts.length > 0 ? [] : [{ what: `there is no CA in ${place}`, remedy: FILLED }]
  return { source: 'self', parts, troubles }
}
const FILLED = 'the first webhook that starts issues one; is any running?'

function pairIn({ cert, key, ca }: Laid, place: string): Some {
  const chain = certificatesOf(cert)
  const authorities = authoritiesIn(ca, place)
  const parts: readonly Part[] = [
    ...(chain.length === 0 ? [] : [{ role: 'serving', place, chain } as const]),
    ...authorities,
  ]
  const none = authorities.length > 0 ? [] : [{ what: `ca.crt of ${place} holds no certificate`, remedy: SIGNER }]
  return { parts, troubles: [...none, ...unfit({ cert, key }, place)] }
}
const SIGNER = 'put in that of whoever signed tls.crt'

function unfit({ cert, key }: Pick<Laid, 'cert' | 'key'>, place: string): readonly Trouble[] {
  try {
    requireKey(certificateOf(cert, `tls.crt in ${place}`), key, { cert: 'tls.crt', key: `tls.key in ${place}` })
    return []
  } catch (error) {
    if (error instanceof Fault) return [{ what: error.message }]
    throw error
  }
}

function authoritiesIn(ca: string, place: string): readonly Part[] {
  return certificatesOf(ca).map((certificate) => ({ role: 'ca', place, chain: [certificate] }) as const)
}

function inConfiguration(seen: Inquired, name: string, { namespace, webhookUrl: url }: Config): Some {
  if (seen === 'absent') return { troubles: [{ what: `${name} does not exist`, remedy: INSTALL }] }
  if (seen === 'barred')
    return { unsaid: [{ what: `you may not read ${name}`, remedy: 'ask for the right to get it' }] }
  const webhooks: readonly Reached[] = reachedBy(seen, { service: { namespace, name: SERVICE }, url })
  const astray = { what: `no webhook of ${name} leads to us`, remedy: 'is --namespace or --webhook-url another one?' }
  return webhooks.length > 0 ? { webhooks } : { troubles: [astray] }
}
