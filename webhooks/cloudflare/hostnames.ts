const MOST_CHARACTERS = 253
const LABEL = '[a-z0-9_]([-a-z0-9_]{0,61}[a-z0-9_])?'
const NAME = new RegExp(`^(\\*\\.)?${LABEL}(\\.${LABEL})*$`)

/** CF-ONE-02: lower case, in ASCII, without the dot at its end. */
export function normalName(written: string): string {
  const name = written.trim().toLowerCase().replace(/\.$/, '')
  return isAscii(name) ? name : asciiOf(name)
}

const isAscii = (text: string) => !/[^\p{ASCII}]/u.test(text)
/** IDNA, as URLs have it; a name that has no such form stays as it is. */
function asciiOf(name: string): string {
  if (name.length > MOST_CHARACTERS) return name
  const labels = name.split('.').map((label) => {
    const url = isAscii(label) ? null : URL.parse(`http://${label}.invalid/`)
    return url?.hostname.replace(/\.invalid$/, '') ?? label
  })
  return labels.join('.')
}

/** A hostname without a port; `*` only as the whole first label (CF-AGG-13). */
export function isHostname(written: string): boolean {
  const name = normalName(written)
  return name.length <= MOST_CHARACTERS && NAME.test(name)
}

/** CF-CRD-08: with the dot, so that `xexample.com` is not in `example.com`. */
export function isInZone(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`)
}
