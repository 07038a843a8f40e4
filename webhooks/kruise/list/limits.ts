/** Of one patch, as canonical JSON (PATCH-V-05), and of a list (PATCH-V-03). */
export const MOST_BYTES = 1_024
export const MOST_ENTRIES = 10
