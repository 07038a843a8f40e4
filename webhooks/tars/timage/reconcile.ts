import { isTerminating } from '../../../src/kube/metadata.ts'
import { type Action, defineController, type Given, type Plan, referred } from '../../kit/controller.ts'
import type { Found } from '../../kit/schema.ts'
import { LONGEST_WAIT_MS } from '../again.ts'
import { FRAMEWORK_NAME } from '../names.ts'
import { TFRAMEWORKCONFIG, type TFrameworkConfig } from '../tframeworkconfig/schema.ts'
import { TIMAGE, type TImage } from './schema.ts'

/** Applies where no TFrameworkConfig says how long a build may take. */
const USUAL_SECONDS = 480

interface Seen {
  readonly image: Found<TImage>
  readonly config: Found<TFrameworkConfig> | undefined
}

export const timageController = defineController<TImage, Seen>({
  name: 'timage',
  of: TIMAGE,
  keeps: { fields: ['build', 'metadata.deletionTimestamp'] },
  refersTo: (image) => (beganAt(image) === undefined ? [] : [{ of: TFRAMEWORKCONFIG, key: frameworkOf(image) }]),
  watches: [referred(TFRAMEWORKCONFIG, { fields: ['imageBuild'] })],
  writes: [{ resource: TIMAGE, verbs: ['patch'] }],
  async observe(key, { cached }) {
    const image = await cached.get(TIMAGE, key)
    if (image === undefined || isTerminating(image)) return undefined
    return { image, config: await cached.get(TFRAMEWORKCONFIG, frameworkOf(image)) }
  },
  plan,
})

const frameworkOf = ({ metadata: { namespace = '' } }: Found<TImage>) => ({ namespace, name: FRAMEWORK_NAME })

/** When the running build began; a build without a time is never late. */
function beganAt({ build }: Found<TImage>): number | undefined {
  const began = Date.parse(build?.running?.createTime ?? '')
  return Number.isNaN(began) ? undefined : began
}

/** A build that takes too long becomes the last one, which failed (TI-R1). */
export function plan({ image, config }: Seen, { at }: Pick<Given, 'at'>): Plan {
  const began = beganAt(image)
  if (began === undefined) return { actions: [] }
  const leftMs = began + (config?.imageBuild?.maxBuildTime ?? USUAL_SECONDS) * 1_000 - at.getTime()
  if (leftMs < 0) return { actions: [failure(image)] }
  return { actions: [], againInMs: Math.min(leftMs + 1, LONGEST_WAIT_MS) }
}

function failure({ metadata: { namespace = '', name, uid = '', resourceVersion = '' }, build }: Found<TImage>): Action {
  const value = { ...build?.running, phase: 'Failed', message: 'task overtime' }
  return {
    do: 'patch',
    of: TIMAGE,
    ref: { namespace, name },
    expects: { uid, resourceVersion },
    operations: [
      { op: 'add', path: '/build/last', value },
      { op: 'remove', path: '/build/running' },
    ],
    because: 'TI-R1',
  }
}
