import { failure } from './failures.ts'
import type { Cloudflare, OpenCloudflare } from './port.ts'

const unasked: Cloudflare = {
  ask: ({ method, path }) => Promise.reject(failure(`${method} ${path}`, 'Cloudflare is not asked here')),
  list: ({ method, path }) => Promise.reject(failure(`${method} ${path}`, 'Cloudflare is not asked here')),
  tick: () => 0,
  pause: () => Promise.resolve(),
  random: () => 0,
}

/** For commands that only look: a review, a demonstration and a print change nothing outside. */
export const unaskedCloudflare: OpenCloudflare = () => unasked
