import type { DoubleWorld } from '../cloudflare/world.ts'
import { TOKEN } from '../cloudflare/world.ts'
import { aCloudflare } from '../support/builders/cloudflare.ts'
import type { Cluster } from './client.ts'
import { expectDone, type Installation } from './product.ts'

/** Of the operator; its accounts are not those of other suites. */
export const SYSTEM = 'cloudflare-system'
export const WITH_CLOUDFLARE: Installation = {
  namespace: SYSTEM,
  told: ['--families=cloudflare', `--cloudflare-namespace=${SYSTEM}`],
}

/** The default credentials, for the account of the double. */
export async function giveCredentials({ kubectl }: Pick<Cluster, 'kubectl'>, { account }: DoubleWorld): Promise<void> {
  const credentials = aCloudflare('CloudflareCredentials', { accountId: account.id, isDefault: true }, { name: 'main' })
  const secret = ['secret', 'generic', 'cloudflare', `--from-literal=CLOUDFLARE_API_TOKEN=${TOKEN}`]
  expectDone(await kubectl(['create', ...secret, `--namespace=${SYSTEM}`]))
  expectDone(await kubectl(['apply', '-f', '-'], { stdin: JSON.stringify(credentials) }))
}
