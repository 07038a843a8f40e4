import { kindsOf } from '../../src/family.ts'
import { families } from '../../webhooks/index.ts'

/** Of all families, whether they run by default or not. */
export const kinds = kindsOf(families)
