import { Fault } from '../../faults.ts'

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Credentials travel over TLS, and in plain text to this machine alone. */
export function baseOf(url: string): URL {
  const base = new URL(url)
  if (base.protocol === 'https:' || (base.protocol === 'http:' && LOOPBACK.test(base.hostname))) return base
  throw new Fault('USAGE', `the address of the Cloudflare API begins with https://; plain http is for loopback alone`)
}

/** A parameter is one segment of the path, whatever it holds. */
export function addressOf(
  base: URL,
  path: string,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string | number | boolean>>,
): URL {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, params))
  const address = new URL(base.href.replace(/\/$/, '') + filled)
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value))
  return address
}

/** An empty segment and dots would be another path. */
function segmentOf(name: string, params: Readonly<Record<string, string>>): string {
  const value = params[name] ?? ''
  if (/^\.{0,2}$/.test(value)) throw new Fault('USAGE', `"${value}" is no ${name} of an object of Cloudflare`)
  return encodeURIComponent(value)
}
