import { type BundleKeeper, keepBundles } from '../../certs/ca-bundle.ts'
import { CONFIGURATIONS, SERVICE } from '../print/objects.ts'
import { systemClock as clock } from '../timing/clock.ts'
import { once } from './readiness.ts'
import type { ProcessPart } from './running.ts'
import type { PairParts, ServingPairPart } from './serving-pair.ts'
import { writingPort } from './writing-port.ts'

/** Where it manages the webhook configurations, they have to trust the CA of the served pair. */
export function caBundles({ config, cluster, log }: PairParts, pair: Pick<ServingPairPart, 'source'>): ProcessPart {
  const { namespace, webhookUrl: url, manageConfigurations } = config
  let bundles: BundleKeeper | undefined
  const isTrusted = once(() => !manageConfigurations || bundles?.observed() === true)
  const missing = () => (isTrusted() ? undefined : 'a webhook configuration does not trust our CA yet')
  return {
    checks: [{ name: 'caBundle', missing }],
    async start(opened) {
      if (!manageConfigurations) return {}
      bundles = keepBundles({
        configurations: { mutating: CONFIGURATIONS.mutate, validating: CONFIGURATIONS.validate },
        ours: { service: { namespace, name: SERVICE }, url },
        source: await pair.source,
        cluster: writingPort(cluster),
        clock,
        log,
      })
      opened.adopt(bundles, (each) => each.stop())
      return {}
    },
  }
}
