/** A network in the form of Cloudflare, and whether it was written so that no host bits are set (CF-V-09). */
export interface Network {
  readonly text: string
  readonly hasHostBits: boolean
}

export function networkIn(written: string): Network | undefined {
  const [, address = '', prefix = ''] = /^([0-9a-fA-F:.]{2,45})\/([0-9]{1,3})$/.exec(written) ?? []
  const bytes = bytesOf(address)
  const length = Number(prefix)
  if (bytes === undefined || prefix === '' || length > bytes.length * 8) return undefined
  const masked = bytes.map((byte, at) => byte & maskOf(length - at * 8))
  const hasHostBits = masked.some((byte, at) => byte !== bytes[at])
  return { text: `${addressOf(masked)}/${length}`, hasHostBits }
}

export const isIpv4 = (text: string) => bytesOf(text)?.length === 4
export const isIpv6 = (text: string) => bytesOf(text)?.length === 16

const maskOf = (bits: number) => (bits >= 8 ? 255 : bits <= 0 ? 0 : (255 << (8 - bits)) & 255)

const BYTE = '(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])'
const IPV4 = new RegExp(`^${BYTE}(\\.${BYTE}){3}$`)

function bytesOf(address: string): readonly number[] | undefined {
  if (IPV4.test(address)) return address.split('.').map(Number)
  if (!/^[0-9a-fA-F:.]{2,45}$/.test(address) || !address.includes(':')) return undefined
  const host = URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1)
  return host === undefined ? undefined : ipv6BytesOf(host)
}

/** Of an address in the compressed form, which a URL gives. */
function ipv6BytesOf(host: string): readonly number[] {
  const [head = '', tail] = host.split('::')
  const words = (text: string) => (text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16)))
  const [front, back] = [words(head), words(tail ?? '')]
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => 0)
  return [...front, ...zeros, ...back].flatMap((word) => [word >> 8, word & 255])
}

function addressOf(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.')
  const words = bytes.flatMap((byte, at) => (at % 2 === 0 ? [((byte << 8) | (bytes[at + 1] ?? 0)).toString(16)] : []))
  return URL.parse(`http://[${words.join(':')}]/`)?.hostname.slice(1, -1) ?? ''
}
