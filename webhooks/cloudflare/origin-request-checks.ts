import type { OriginRequest } from './fields.ts'
import { flawOfDuration } from './origin-checks.ts'

const DURATIONS = ['connectTimeout', 'tlsTimeout', 'keepAliveTimeout'] as const

export function durationsIn(request: OriginRequest = {}) {
  const path = (name: string) => `spec.defaultOriginRequest.${name}`
  return DURATIONS.map((name) => ({ path: path(name), value: request[name], check: flawOfDuration }))
}
