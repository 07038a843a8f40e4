import { sha256Of } from '../../../src/kube/digests.ts'

/** NC-DIG-01: of nothing but the text. */
export const configDigest = (text: string) => sha256Of(text).slice(0, 16)
