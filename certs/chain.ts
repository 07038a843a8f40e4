import { X509Certificate } from 'node:crypto'
import { certificatesIn } from './pem.ts'

/** The certificates of a PEM text. What looks like one and is none is left out. */
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

/** Which of these authorities a chain leads to, its leaf first, the others in any order; none when nobody may trust it. */
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

/** Until when what is served can be trusted by its CA. Others that the bundle holds may end sooner. */
export function trustEnd({ cert, ca }: { readonly cert: string; readonly ca: string }): Date | undefined {
  const authorities = certificatesOf(ca)
  const ends = authorities.map(({ validToDate }) => validToDate).sort((one, other) => one.getTime() - other.getTime())
  return anchorOf(certificatesOf(cert), authorities)?.validToDate ?? ends[0]
}
