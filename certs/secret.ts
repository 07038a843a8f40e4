import { Fault } from '../src/faults.ts'
import { servingPair } from './pair.ts'
import { publish } from './publish.ts'
import { type CertificateSource, placeOf, type SecretSourceParts, sourceFrom, textIn } from './source.ts'

export interface SecretPairParts extends SecretSourceParts {
  /** The folder for ca.crt, which callers on this machine read. */
  readonly certDir: string
}

/** Serves from a Secret of type kubernetes.io/tls that another writer owns, such as cert-manager. It need not be mounted. */
export function secretSource({ certDir, ...parts }: SecretPairParts): Promise<CertificateSource> {
  const place = placeOf(parts.secret)
  return sourceFrom(parts, async (found, served) => {
    if (found === undefined) throw new Fault('CERTIFICATE', `${place} does not exist: it must hold the serving pair`)
    const [cert, key, ca] = [textIn(found, 'tls.crt'), textIn(found, 'tls.key'), textIn(found, 'ca.crt')]
    const isServed = cert === served?.cert && key === served.key && ca === served.ca
    if (isServed) return served
    const pair = servingPair({ cert, key, ca }, place, parts.clock.now())
    if (ca !== served?.ca) await publish(ca, certDir)
    return pair
  })
}
