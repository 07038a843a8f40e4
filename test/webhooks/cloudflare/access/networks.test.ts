import { describe, expect, it } from 'vitest'
import { settingsOf } from '../../../../src/setting.ts'
import { RemoteAccounts } from '../../../../webhooks/cloudflare/access/accounts.ts'
import { Networks } from '../../../../webhooks/cloudflare/access/networks.ts'
import { aCloudflare, aSecret } from '../../../support/builders/cloudflare.ts'
import { clusterOf } from '../../../support/clusters.ts'
import { ScriptedCloudflare } from '../../../support/fakes/cloudflare.ts'

const DEFAULT = { id: 'v', name: 'default', is_default_network: true }

async function world() {
  const cluster = clusterOf(aCloudflare('CloudflareCredentials', { isDefault: true }), aSecret())
  const api = new ScriptedCloudflare(() => [DEFAULT])
  const settings = settingsOf({})
  const accounts = new RemoteAccounts(api, settings)
  const networks = new Networks(api.tick, settings)
  return {
    api,
    async found(accountId: string) {
      const account = await accounts.of({ accountId }, { cached: cluster, live: cluster })
      if ('message' in account) throw new Error(account.message)
      return networks.idOf(undefined, account)
    },
  }
}

describe('the virtual networks of accounts that authors name', () => {
  it('are listed once for each', async () => {
    const { api, found } = await world()
    for (const account of ['a', 'b', 'a']) expect(await found(account)).toBe('v')
    expect(api.asked).toEqual(['a', 'b'].map((id) => `GET /accounts/${id}/teamnet/virtual_networks`))
  })
  it('are kept for the hundred that were asked for last', async () => {
    const { api, found } = await world()
    for (let at = 0; at <= 100; at += 1) await found(`account-${at}`)
    expect(api.asked).toHaveLength(101)
    await found('account-1')
    expect(api.asked).toHaveLength(101)
    await found('account-0')
    expect(api.asked).toHaveLength(102)
  })
})
