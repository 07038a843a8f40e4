import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Tree } from '../../../src/schema.ts'

export interface DoubleZone {
  readonly id: string
  readonly account: string
  readonly name: string
  readonly plan: 'free' | 'paid'
  readonly records: Map<string, DoubleRecord>
}
export interface DoubleRecord {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly content: string
  readonly ttl: number
  readonly proxied: boolean
  readonly proxiable: boolean
  readonly comment: string | null
  readonly tags: readonly string[]
  readonly priority?: number
  readonly data?: Tree
  readonly settings: Tree
  readonly meta: Tree
  readonly created_on: string
  readonly modified_on: string
}
export interface DoubleTunnel {
  readonly id: string
  readonly name: string
  readonly config_src: string
  readonly created_at: string
  deleted_at: string | null
  connections: number
  config: Tree | null
  version: number
  source: 'cloudflare' | 'local'
}
export interface DoubleNetwork {
  readonly id: string
  readonly name: string
  readonly comment: string
  readonly is_default_network: boolean
  readonly created_at: string
  readonly deleted_at: string | null
}
export interface DoubleRoute {
  readonly id: string
  readonly network: string
  readonly tunnel_id: string
  readonly virtual_network_id: string
  readonly comment: string
  readonly created_at: string
  readonly deleted_at: string | null
}
export interface DoubleBucket {
  readonly name: string
  readonly location: string
  readonly creation_date: string
  objects: number
}
export interface DoubleAccount {
  readonly id: string
  readonly name: string
  readonly tunnels: Map<string, DoubleTunnel>
  readonly networks: Map<string, DoubleNetwork>
  readonly routes: Map<string, DoubleRoute>
  readonly rules: Map<string, Tree & { readonly id: string; readonly name: string }>
  readonly buckets: Map<string, DoubleBucket>
}
/** A token, or a key with an address, and the accounts that it is for. */
export interface DoubleCredential {
  readonly name: string
  readonly accounts: readonly string[]
  readonly email?: string
}

export const hexId = () => randomBytes(16).toString('hex')
export const uuid = () => randomUUID()
export const now = () => new Date().toISOString().replace(/Z$/, '000Z')

/** All that Cloudflare would hold. */
export class DoubleState {
  readonly accounts = new Map<string, DoubleAccount>()
  readonly zones = new Map<string, DoubleZone>()
  readonly credentials = new Map<string, DoubleCredential>()

  addAccount({ id = hexId(), name = 'account' } = {}): DoubleAccount {
    const account: DoubleAccount = {
      ...{ id, name },
      tunnels: new Map(),
      networks: new Map(),
      routes: new Map(),
      rules: new Map(),
      buckets: new Map(),
    }
    this.accounts.set(id, account)
    return account
  }

  addZone({
    id = hexId(),
    account,
    name,
    plan = 'free',
  }: Omit<DoubleZone, 'id' | 'records' | 'plan'> & Partial<DoubleZone>) {
    const zone: DoubleZone = { id, account, name, plan, records: new Map() }
    this.zones.set(id, zone)
    return zone
  }

  /** As data, without the credentials. */
  shown(): Tree {
    return {
      accounts: [...this.accounts.values()].map((account) => ({
        ...account,
        tunnels: [...account.tunnels.values()],
        networks: [...account.networks.values()],
        routes: [...account.routes.values()],
        rules: [...account.rules.values()],
        buckets: [...account.buckets.values()],
      })),
      zones: [...this.zones.values()].map((zone) => ({ ...zone, records: [...zone.records.values()] })),
    }
  }

  /** Equal as long as nothing was changed. */
  digest(): string {
    return createHash('sha256').update(JSON.stringify(this.shown())).digest('hex')
  }
}
