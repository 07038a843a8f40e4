import type { Notice } from '../../kit/controller.ts'
import { ofCause } from '../engine/notices.ts'
import type { RemoteHeld } from '../engine/seen.ts'

/** Of a verdict that is another one than before. */
export function noticesOf(held: RemoteHeld | undefined): readonly Notice[] {
  if (held !== undefined) return ofCause(held)
  return [{ type: 'Normal', reason: 'Synced', message: 'Cloudflare takes these credentials' }]
}

export const RELEASED: Notice = {
  type: 'Normal',
  reason: 'FinalizerRemoved',
  message: 'no object of Cloudflare needs these credentials any more',
}
