import { X509Certificate } from 'node:crypto'
import { certificatesIn } from './pem.ts'

/** Parses the certificates of a PEM text and skips blocks that do not parse. */
export function certificatesOf(pem: string): readonly X509Certificate[] {
  return certificatesIn(pem).flatMap((block) => {
    try {
      return [new X509Certificate(block)]
    } catch {
      return []
    }
  })
}

type Chain = readonly X509Certificate[]

/** The authority that a chain leads to, its leaf first and the others in any order; undefined when it leads to none. */
export function anchorOf(chain: Chain, authorities: Chain): X509Certificate | undefined {
  const left = new Set(chain)
  for (let [at] = chain; at !== undefined; at = issuerOf(at, [...left])) {
    left.delete(at)
    const anchor = issuerOf(at, authorities)
    if (anchor !== undefined) return anchor
  }
  return undefined
}

function issuerOf(certificate: X509Certificate, among: Chain): X509Certificate | undefined {
  return among.find((each) => certificate.checkIssued(each) && certificate.verify(each.publicKey))
}

/** When trust in the served chain ends. Other certificates of the bundle may expire sooner. */
export function trustEnd({ cert, ca }: { readonly cert: string; readonly ca: string }): Date | undefined {
  const authorities = certificatesOf(ca)
  const ends = authorities.map(({ validToDate }) => validToDate).sort((one, other) => one.getTime() - other.getTime())
  return anchorOf(certificatesOf(cert), authorities)?.validToDate ?? ends[0]
}
