import { Fault } from '../src/faults.ts'
import { servingPair } from './pair.ts'
import { publish } from './publish.ts'
import { type CertificateSource, placeOf, type SecretMeans, sourceFrom, textIn } from './source.ts'

export interface SecretPairMeans extends SecretMeans {
  /** Gets the CA certificate as ca.crt, for callers on this machine. */
  readonly certDir: string
}

/** A Secret of type kubernetes.io/tls that somebody else keeps, cert-manager perhaps. It need not be mounted. */
export function secretSource({ certDir, ...means }: SecretPairMeans): Promise<CertificateSource> {
  const place = placeOf(means.secret)
  return sourceFrom(means, async (found, served) => {
    if (found === undefined) throw new Fault('CERTIFICATE', `${place} does not exist: it must hold the serving pair`)
    const [cert, key, ca] = [textIn(found, 'tls.crt'), textIn(found, 'tls.key'), textIn(found, 'ca.crt')]
    const isServed = cert === served?.cert && key === served.key && ca === served.ca
    if (isServed) return served
    const pair = servingPair({ cert, key, ca }, place, means.clock.now())
    if (ca !== served?.ca) await publish(ca, certDir)
    return pair
  })
}
