import { cloudflare } from './cloudflare/family.ts'
import type { Family } from './kit/controller.ts'
import { kruise } from './kruise/family.ts'
import { nacos } from './nacos/family.ts'
import { tars } from './tars/family.ts'

/** The only list of families. */
export const families: readonly Family[] = [tars, kruise, nacos, cloudflare]
