import type { ControllerRemotes } from '../../src/family.ts'
import { unaskedCloudflare } from '../../src/remote/cloudflare/unasked.ts'
import { quickPasswords } from './passwords.ts'

/** Nothing outside is asked. */
export const REMOTES: ControllerRemotes = { passwords: quickPasswords, cloudflare: unaskedCloudflare }
