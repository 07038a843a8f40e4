import type { X509Certificate } from 'node:crypto'
import { AUTHORITY, LEAF_LIFE } from './authority.ts'
import { certificatesOf } from './chain.ts'
import { certificatesIn } from './pem.ts'

/** One of our CAs that a newer one replaced, and until when a replica may still serve a leaf of it. */
export interface Replaced {
  readonly certificate: X509Certificate
  readonly until: Date
}

type Certificates = readonly X509Certificate[]

/**
 * Of our CAs in a bundle, recognized by their subject, the newest two stay, the older one for the lifetime of a leaf
 * (CT-4). The CA in force always stays, even an old one: a Secret may come from a backup.
 */
export function replacedIn(bundle: Certificates, inForce: Certificates): readonly Replaced[] {
  const own = new Map(bundle.filter(({ subject }) => subject === AUTHORITY).map((each) => [each.fingerprint256, each]))
  const newestFirst = [...own.values()]
    .reverse()
    .sort((one, other) => Number(other.validFromDate) - Number(one.validFromDate))
  const [newest, ...older] = newestFirst
  if (newest === undefined) return []
  const since = newest.validFromDate
  const lastLeaf = new Date(since.getTime() + LEAF_LIFE)
  const replaced = older.map((certificate, at) => ({ certificate, until: at === 0 ? lastLeaf : since }))
  return replaced.filter(({ certificate }) => !isAmong(inForce, certificate))
}

/** The bundle without our expired CAs; undefined when it holds none. */
export function pruned(bundle: string, inForce: string, now: Date): string | undefined {
  const replaced = replacedIn(certificatesOf(bundle), certificatesOf(inForce))
  const over = replaced.filter(({ until }) => until <= now).map(({ certificate }) => certificate)
  if (over.length === 0) return undefined
  const kept = certificatesIn(bundle).filter((pem) => !certificatesOf(pem).some((each) => isAmong(over, each)))
  return [...kept, ''].join('\n')
}

function isAmong(certificates: Certificates, { fingerprint256 }: X509Certificate): boolean {
  return certificates.some((each) => each.fingerprint256 === fingerprint256)
}
