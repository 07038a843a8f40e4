import type { Raw } from '../../../src/admission/change.ts'
import { validateBy } from '../../../src/admission/together.ts'
import type { Readers } from '../../../src/cluster/port.ts'
import type { Kind } from '../../../src/kind.ts'
import { readersOf } from '../../support/fakes/readers.ts'

export const none = readersOf()

/** With what follows where the kind lets the change in. */
export const followed = (kind: Kind, raw: Raw, readers: Readers) => validateBy([kind], raw, readers, 'refuse')
