import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { Fault } from '../../../faults.ts'

/** Where a redis listens, and which of its databases is meant (SY-REDIS-1). */
export interface Node {
  /** For messages; without a password. */
  readonly name: string
  readonly at: { readonly host: string; readonly port: number } | { readonly path: string }
  readonly database: number
  /** As `rediss://` says, or only what the options say. */
  readonly secure: boolean
  readonly username: string
  readonly password: string
}

const DEFAULT = '127.0.0.1:6379'
const DEFAULT_PORT = 6379

/** They are tried in order. */
export function nodesOf(nodes: readonly string[]): readonly Node[] {
  return (nodes.length === 0 ? [DEFAULT] : nodes).map(nodeOf)
}

function nodeOf(node: string): Node {
  if (isAbsolute(node) || (!node.includes(':') && existsSync(node))) return socketAt(node)
  const [, scheme, rest = ''] = /^(?:(rediss?):\/\/)?(.*)$/s.exec(node) ?? []
  const url = URL.parse(`redis://${rest}`)
  if (url === null || url.hostname === '' || url.search + url.hash !== '') throw noNode(node)
  const [host, port] = [url.hostname.replace(/^\[|\]$/g, ''), Number(url.port || DEFAULT_PORT)]
  return {
    name: url.host,
    at: { host, port },
    database: databaseIn(url.pathname) ?? refuse(node),
    secure: scheme === 'rediss',
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  }
}

const socketAt = (path: string): Node => ({
  name: path,
  at: { path },
  database: 0,
  secure: false,
  username: '',
  password: '',
})

function databaseIn(path: string): number | undefined {
  const [, number] = /^\/?(\d{0,5})$/.exec(path) ?? []
  return number === undefined ? undefined : Number(number)
}

function refuse(node: string): never {
  throw noNode(node)
}

/** What stands before an @ may be a password. */
function noNode(node: string): Fault {
  const shown = JSON.stringify(node.replace(/^.*@/s, '…@').slice(0, 200))
  return new Fault(
    'USAGE',
    `nodes: ${shown} is no redis; write host:port, host:port/database, redis://…, rediss://… or the path of a socket`,
  )
}
