import type { Family } from '../kit/controller.ts'
import { nacosConfigMap } from './configmap/kind.ts'
import { METRICS } from './metrics.ts'
import { nacosKind } from './nacos/kind.ts'
import { nacosController } from './nacos/reconcile/reconcile.ts'
import { nacosSourcesController } from './nacos/reconcile/sources.ts'
import {
  CLIENT_SERVICE_TYPE,
  CREATE_DEADLINE_SECONDS,
  MIN_READY_SECONDS,
  PROTECTED_KEYS,
  SETTLE_SECONDS,
  STUCK_SECONDS,
} from './nacos/settings.ts'

/** Nacos servers and clusters, with a configuration merged from two ConfigMaps. */
export const nacos: Family = {
  name: 'nacos',
  kinds: () => [nacosKind, nacosConfigMap],
  controllers: () => [nacosController, nacosSourcesController],
  metrics: METRICS,
  settings: [
    SETTLE_SECONDS,
    MIN_READY_SECONDS,
    STUCK_SECONDS,
    CREATE_DEADLINE_SECONDS,
    PROTECTED_KEYS,
    CLIENT_SERVICE_TYPE,
  ],
}
