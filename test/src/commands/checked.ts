import { isStored } from '../../../src/cluster/stored.ts'
import { checkPath } from '../../../src/commands/check.ts'
import type { Api, Taken } from '../../../src/diagnosis/path.ts'
import type { Status } from '../../../src/kube/status.ts'
import { isTree } from '../../../src/schema.ts'
import { ManualClock } from '../../support/fakes/clock.ts'
import { kinds } from '../../support/kinds.ts'

export const NAMESPACE = 'shop'
export const status = (code: number, message: string, more: Partial<Status> = {}): Status => ({
  code,
  reason: '',
  message,
  ...more,
})
const DENIAL = 'admission webhook "validating.tars.io" denied the request: spec.parent: required (TT-V1)'
export const calling = (name: string, words: string, url = 'https://127.0.0.1:9443/mutating?timeout=10s') =>
  status(
    500,
    `Internal error occurred: failed calling webhook "${name}": failed to call webhook: Post "${url}": ${words}`,
  )

/** As admission leaves it: the label is gone from a root template. */
export function completed(object: object): Taken {
  return { object: { ...object, metadata: { ...(isStored(object) && object.metadata), labels: {} } }, warning: '' }
}
export const isGood = (object: object) => isTree(object) && isTree(object.spec) && object.spec.parent !== ''

export interface Wishes {
  readonly good?: (object: object) => Taken | Status
  readonly bad?: (object: object) => Taken | Status
  readonly look?: Api['look']
  readonly ready?: number | undefined
}
/** A path that works, unless the case says otherwise, and no worker. */
export function apiOf({ good = completed, bad = () => status(422, DENIAL), look, ...rest }: Wishes = {}): Api {
  const thereIs: Api['look'] = async ({ kind }) =>
    kind === 'Lease' || kind === 'Deployment' ? 'absent' : { metadata: { name: 'x' } }
  const ready = async () => ('ready' in rest ? rest.ready : 1)
  return {
    tryOut: async (_of, _namespace, object) => (isGood(object) ? good : bad)(object),
    look: look ?? thereIs,
    ready,
  }
}

export async function checked(api: Api, wait = 0, clock = new ManualClock()) {
  const [shown, waited]: readonly [string[], string[]] = [[], []]
  const world = { out: (text: string) => void shown.push(text), err: (text: string) => void waited.push(text), clock }
  const code = await checkPath(api, { kinds, namespace: NAMESPACE, namespaces: [], wait }, world)
  return { code, shown: shown.join(''), waited: waited.join('') }
}

export const SERVICE_URL = 'https://tars-webhook-service.tars-system.svc:443/mutating?timeout=10s'
