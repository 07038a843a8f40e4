import type { Draft, Tree } from '../../kit/schema.ts'
import type { Tunnel } from '../tunnel/schema.ts'
import { poolPath } from './origin-annotations.ts'

/** What a tunnel defines for all its rules. */
export function settingsOfTunnel({ spec = {} }: Draft<Tunnel>): Tree {
  const { enableWarpRouting = false, fallbackTarget, noTlsVerify, originCaPool } = spec
  const pool = originCaPool ? poolPath(originCaPool) : undefined
  const originRequest = {
    ...(noTlsVerify === true && { noTLSVerify: true }),
    ...(pool !== undefined && { caPool: pool }),
  }
  return {
    warpRouting: enableWarpRouting,
    fallbackTarget: fallbackTarget || 'http_status:404',
    ...(Object.keys(originRequest).length > 0 && { originRequest }),
  }
}
