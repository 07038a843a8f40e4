import type { Found } from '../../kit/schema.ts'
import { READINESS_GATE } from '../names.ts'
import type { Pod } from '../pods.ts'

interface PodState {
  readonly settingState: string
  readonly presentState?: string | undefined
  readonly presentMessage?: string | undefined
  readonly pid?: string | undefined
}
type Conditions = NonNullable<NonNullable<Found<Pod>['status']>['conditions']>

/** What the registry sees of a pod (TE-R4). */
export function stateOf({ metadata: { name, deletionTimestamp }, status }: Found<Pod>): PodState {
  if (deletionTimestamp) return active('Terminating', `pod/${name} is terminating`)
  const conditions = status?.conditions ?? []
  const ready = conditions.find(({ type }) => type === 'Ready')
  const gate = conditions.find(({ type }) => type === READINESS_GATE)
  if (ready?.status === 'True') {
    return gate === undefined ? active('Active') : { ...active('Active', ready.message), pid: reasonIn(gate).pid }
  }
  const steps = stepsIn(conditions)
  const stop = steps.find((step) => step.status !== 'True')
  if (stop !== undefined) return active(stop.reason, stop.message)
  return gate === undefined ? active(steps.at(-1)?.type) : reasonIn(gate)
}

const active = (presentState?: string, presentMessage?: string) => ({
  settingState: 'Active',
  presentState,
  presentMessage,
})

const FIRST_STEPS = ['PodScheduled', 'Initialized', 'ContainersReady']
const NO_STEPS = [...FIRST_STEPS, 'Ready', READINESS_GATE]

/** What a pod goes through until it is ready, in order. */
function stepsIn(conditions: Conditions): Conditions {
  const first = FIRST_STEPS.flatMap((step) => conditions.filter(({ type }) => type === step))
  return [...first, ...conditions.filter(({ type = '' }) => !NO_STEPS.includes(type))]
}

/** The registry writes `<setting>/<present>/<pid>` (TE-R5). A long text is split no further than it has to be. */
function reasonIn({ reason = '' }: Conditions[number]): PodState {
  const [setting, presentState, pid, ...more] = reason.split('/', 4)
  if (more.length > 0) return { settingState: 'Unknown', presentState: 'Unknown' }
  return { settingState: setting || 'Active', presentState, pid }
}
