import type { Stored } from '../../../src/cluster/port.ts'
import { aTTemplate } from '../../support/templates.ts'

/** What the server can look up meanwhile. */
export const THERE: readonly Stored[] = [
  aTTemplate(),
  aTTemplate({ name: 'child', parent: 'base' }),
  aTTemplate({ name: 'tick', parent: 'tock' }),
  aTTemplate({ name: 'tock', parent: 'tick' }),
]
