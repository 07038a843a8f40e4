import { type CloudflareCall, guardOf } from '../../kit/cloudflare.ts'
import { flag, list, nullable, object, type Settings, type Shape, text } from '../../kit/schema.ts'
import { CLOUDFLARE_RESYNC_SECONDS } from '../settings.ts'
import type { RemoteAccount } from './account.ts'
import { SharedList } from './shared-list.ts'

/** A virtual network, as Cloudflare has it. */
export const network = object(
  { id: text({ doc: 'Id.' }), name: text({ doc: 'Name.' }) },
  {
    comment: nullable(text({ doc: 'Comment.' })),
    is_default_network: flag({ doc: 'Whether it is the default.' }),
    deleted_at: nullable(text({ doc: 'When it was deleted.' })),
  },
)
export type NetworkAnswer = Shape<typeof network>
/** The deleted ones are listed, too; they do not count. */
const NETWORKS: CloudflareCall<readonly NetworkAnswer[]> = {
  method: 'GET',
  path: '/accounts/{account}/teamnet/virtual_networks',
  is: guardOf(list(network, { doc: 'Virtual networks.' })),
}
/** What is missing is looked for once more after this time. */
const FRESH_MS = 30_000

/** The virtual networks of each account, listed once for all routes. */
export class Networks {
  readonly #all: SharedList<NetworkAnswer>

  constructor(tick: () => number, settings: Settings) {
    this.#all = new SharedList(NETWORKS, tick, settings.get(CLOUDFLARE_RESYNC_SECONDS) * 1_000)
  }

  /** The id of one by its name, or of the default one. */
  async idOf(name: string | undefined, account: RemoteAccount): Promise<string | undefined> {
    const isIt = (each: NetworkAnswer) =>
      each.deleted_at == null && (name === undefined ? each.is_default_network === true : each.name === name)
    const known = (await this.#all.of(account)).find(isIt)
    return (known ?? (await this.#all.of(account, FRESH_MS)).find(isIt))?.id
  }
}
