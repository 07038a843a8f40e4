import type { Family } from './kit/admission.ts'
import { tars } from './tars/family.ts'

/** All families, and the only list of them. */
export const families: readonly Family[] = [tars]
