/** There is no dash inside: a block that was cut off does not swallow the one after it. */
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

/** The certificates of a PEM text as they stand there, without what stands between them. */
export function certificatesIn(pem: string): readonly string[] {
  return pem.match(CERTIFICATE) ?? []
}

/** All of `present`, byte for byte, then what of `wanted` is missing there; nothing when nothing is missing. */
export function union(present: string, wanted: string): string | undefined {
  const kept = certificatesIn(present)
  const known = new Set(kept.map(unwrapped))
  const missing = certificatesIn(wanted).filter((certificate) => !known.has(unwrapped(certificate)))
  return missing.length === 0 ? undefined : [...kept, ...missing, ''].join('\n')
}

/** Two texts of one certificate may differ in where their lines end. */
function unwrapped(certificate: string): string {
  return certificate.replaceAll(/\s/g, '')
}
