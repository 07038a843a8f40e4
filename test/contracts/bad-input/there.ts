import type { Stored } from '../../../src/cluster/port.ts'
import { aTConfig } from '../../support/builders/configs.ts'
import { aTFrameworkConfig } from '../../support/builders/framework-configs.ts'
import { aRelease, aTServer } from '../../support/builders/servers.ts'
import { aTTemplate } from '../../support/builders/templates.ts'

/** What the server can look up meanwhile. */
export const THERE: readonly Stored[] = [
  aTTemplate(),
  aTTemplate({ name: 'child', parent: 'base' }),
  aTTemplate({ name: 'tick', parent: 'tock' }),
  aTTemplate({ name: 'tock', parent: 'tick' }),
  aTFrameworkConfig(),
  aTServer({ server: 'Idle' }),
  aTServer({
    server: 'Run',
    release: aRelease(),
    annotations: { 'tars.io/MinReplicas': '1', 'tars.io/MaxReplicas': '5' },
  }),
  aTServer({ server: 'Odd', release: aRelease(), annotations: { 'tars.io/MaxReplicas': 'many' } }),
  aTConfig(),
  aTConfig({ name: 'v0', activated: false }),
]
