import { readdirSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What this process holds: open descriptors, and bytes that are reachable. */
export interface Use {
  readonly descriptors: number
  readonly bytes: number
}

export function ownUse(): Use {
  setFlagsFromString('--expose-gc')
  const gc: () => void = runInNewContext('gc')
  gc()
  gc()
  return { descriptors: readdirSync('/proc/self/fd').length, bytes: process.memoryUsage().heapUsed }
}
