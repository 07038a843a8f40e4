import type { Family } from './kit/admission.ts'
import { tars } from './tars/family.ts'

/** The only list of families. */
export const families: readonly Family[] = [tars]
