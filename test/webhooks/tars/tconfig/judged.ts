import type { Intent } from '../../../../src/admission/consequence.ts'
import type { Built } from '../../../../src/cluster/port.ts'
import { TCONFIG } from '../../../../webhooks/tars/tconfig/schema.ts'
import { answered, VALIDATING } from '../../../support/answerer-parts.ts'
import { aTConfig, type ConfigWishes } from '../../../support/builders/configs.ts'
import { readersOf } from '../../../support/fakes/readers.ts'
import { reviewsOf } from '../../../support/reviews.ts'

export const { creationOf, updateOf, deletionOf } = reviewsOf(TCONFIG)
export const NOW = '2026-11-18T12:00:00.000Z'

export const judged = (body: unknown, ...there: readonly Built[]) =>
  answered(VALIDATING, body, { readers: readersOf(...there) })
export const named = ({ verdict: { intents } }: { verdict: { intents: readonly Intent[] } }) =>
  intents.map(({ action }) => action.ref.name)
export const other = (wishes: ConfigWishes = {}) => aTConfig({ name: 'old', ...wishes })
export const off = aTConfig({ activated: false })
/** A new object of the same name. */
export const another = (stored: Built) => ({ ...stored, metadata: { ...stored.metadata, uid: 'another' } })
