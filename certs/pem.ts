/** A block contains no dash, so a truncated block does not swallow the next one. */
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

/** The certificate blocks of a PEM text, byte for byte, without the text between them. */
export function certificatesIn(pem: string): readonly string[] {
  return pem.match(CERTIFICATE) ?? []
}

/** `present`, byte for byte, followed by the certificates of `wanted` that it lacks; undefined when it lacks none. */
export function union(present: string, wanted: string): string | undefined {
  const kept = certificatesIn(present)
  const known = new Set(kept.map(unwrapped))
  const missing = certificatesIn(wanted).filter((certificate) => !known.has(unwrapped(certificate)))
  return missing.length === 0 ? undefined : [...kept, ...missing, ''].join('\n')
}

/** Two PEM texts of one certificate may break their lines differently. */
function unwrapped(certificate: string): string {
  return certificate.replaceAll(/\s/g, '')
}
