import { Fault } from '../../../faults.ts'
import type { StoreOptions } from '../../store.ts'

export interface Endpoint {
  readonly host: string
  readonly port: number
}

export interface Endpoints {
  /** At least one; they are tried in turn. */
  readonly all: readonly Endpoint[]
  /** Decided by the first of them for all (SY-ETCD-1). */
  readonly secure: boolean
}

const DEFAULT = '127.0.0.1:2379'
const DEFAULT_PORT = 2379

type Written = Pick<StoreOptions, 'nodes' | 'clientCert' | 'clientKey' | 'clientCaKeys'>

export function endpointsOf({ nodes, clientCert, clientKey, clientCaKeys }: Written): Endpoints {
  const parsed = (nodes.length === 0 ? [DEFAULT] : nodes).map(parsedOf)
  const schemes = new Set(parsed.map(({ scheme }) => scheme))
  if (schemes.has('http') && schemes.has('https')) {
    throw new Fault('USAGE', 'nodes: some are http and some https; write all of them alike')
  }
  const scheme = parsed[0]?.scheme
  const brings = clientCaKeys !== '' || (clientCert !== '' && clientKey !== '')
  return { all: parsed, secure: scheme === 'https' || (scheme === undefined && brings) }
}

interface Parsed extends Endpoint {
  readonly scheme: string | undefined
}

function parsedOf(node: string): Parsed {
  const [, scheme, address = ''] = /^(?:(https?):\/\/)?(.*?)\/?$/s.exec(node) ?? []
  const url = URL.parse(`etcd://${address}`)
  if (url === null || !isPlain(url)) {
    throw new Fault('USAGE', `nodes: ${shown(node)} is no endpoint of etcd; write host:port, http://… or https://…`)
  }
  return { scheme, host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || DEFAULT_PORT) }
}

function isPlain({ hostname, pathname, search, hash, username, password }: URL): boolean {
  return hostname !== '' && [pathname, search, hash, username, password].every((part) => part === '')
}

/** What stands before an @ may be a password. */
const shown = (node: string) => JSON.stringify(node.replace(/^.*@/s, '…@').slice(0, 200))
