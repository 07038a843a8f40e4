import { type BundleKeeper, keepBundles } from '../../certs/ca-bundle.ts'
import type { Kind } from '../kind.ts'
import { SERVICE } from '../print/objects.ts'
import { systemClock as clock } from '../timing/clock.ts'
import { registeredConfigurations } from './configurations.ts'
import { once } from './readiness.ts'
import type { ProcessPart } from './running.ts'
import type { PairParts, ServingPairPart } from './serving-pair.ts'
import { writingPort } from './writing-port.ts'

interface BundleParts extends PairParts {
  readonly kinds: readonly Kind[]
}

/** Where it manages the webhook configurations, they have to trust the CA of the served pair. */
export function caBundles(
  { kinds, config, cluster, log }: BundleParts,
  pair: Pick<ServingPairPart, 'source'>,
): ProcessPart {
  const { namespace, webhookUrl: url, manageConfigurations } = config
  let bundles: BundleKeeper | undefined
  const isTrusted = once(() => !manageConfigurations || bundles?.observed() === true)
  const missing = () => (isTrusted() ? undefined : 'a webhook configuration does not trust our CA yet')
  return {
    checks: [{ name: 'caBundle', missing }],
    async start(opened) {
      if (!manageConfigurations) return {}
      bundles = keepBundles({
        configurations: registeredConfigurations(kinds),
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
