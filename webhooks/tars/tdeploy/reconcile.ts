import { isTerminating } from '../../../src/kube/metadata.ts'
import { isSame } from '../../kit/admission.ts'
import { type Action, defineController, type Notice, type Plan, type Result, referred } from '../../kit/controller.ts'
import type { Found } from '../../kit/schema.ts'
import { LONGEST_BACKOFF_MS } from '../again.ts'
import { ANNOTATIONS, LABELS } from '../names.ts'
import { TSERVER, type TServer } from '../tserver/schema.ts'
import { nameOf, needsNodeOfItsOwn } from '../tserver/shape.ts'
import { TDEPLOY, type TDeploy } from './schema.ts'

interface Seen {
  readonly deploy: TDeploy
  /** The TServer that has the requested name. */
  readonly target: Found<TServer> | undefined
}

export const tdeployController = defineController<TDeploy, Seen>({
  name: 'tdeploy',
  of: TDEPLOY,
  refersTo: (deploy) => (isOpen(deploy) ? [{ of: TSERVER, key: targetOf(deploy) }] : []),
  watches: [referred(TSERVER, { fields: ['spec', 'metadata.annotations', 'metadata.deletionTimestamp'] })],
  writes: [
    { resource: TSERVER, verbs: ['create'] },
    { resource: TDEPLOY, verbs: ['merge'] },
  ],
  async observe(key, { cached }) {
    const deploy = await cached.get(TDEPLOY, key)
    if (deploy === undefined || !isOpen(deploy)) return undefined
    return { deploy, target: await cached.get(TSERVER, targetOf(deploy)) }
  },
  plan,
  conclude,
})

/** Approved, and not deployed yet (TD-R1). */
function isOpen(deploy: Found<TDeploy>): deploy is TDeploy {
  return TDEPLOY.isOutline(deploy) && !isTerminating(deploy) && deploy.approve?.result === true && !deploy.deployed
}

/** The TServer comes first and `deployed` follows, so that a crash between the two is repaired by the next turn (D-2). */
export function plan({ deploy, target }: Seen): Plan {
  if (target === undefined) return { actions: [creation(deploy)] }
  if (isMadeFor(deploy, target)) return { actions: [completion(deploy)] }
  const waiting = { actions: [], againInMs: LONGEST_BACKOFF_MS }
  return isTerminating(target) ? waiting : { ...waiting, notices: [outControl(target)] }
}

export function conclude({ deploy }: Seen, results: readonly Result[]): Plan {
  const created = results.find(({ action }) => action.do === 'create')
  if (created?.outcome === 'done') return { actions: [completion(deploy)] }
  return { actions: [], notices: created?.outcome === 'refused' ? [deployFailed(created)] : [] }
}

function targetOf({ metadata: { namespace = '' }, apply }: TDeploy) {
  return { namespace, name: nameOf(apply) }
}

/** TD-R2: without an owner, since the server stays when the request is deleted. */
function creation(deploy: TDeploy): Action {
  const { app, server, subType } = deploy.apply
  const object = {
    apiVersion: `${TSERVER.group}/${TSERVER.version}`,
    kind: TSERVER.kind,
    metadata: {
      ...targetOf(deploy),
      labels: { [LABELS.app]: app, [LABELS.server]: server, [LABELS.subType]: subType },
      annotations: { [ANNOTATIONS.deploy]: uidOf(deploy) },
    },
    spec: requested(deploy),
  }
  return { do: 'create', of: TSERVER, object, because: 'TD-R2' }
}

const uidOf = ({ metadata: { uid = '' } }: TDeploy) => uid
/** A definition of another version may have let a release in. */
const NOT_OF_SPEC = ['mark', 'person', 'release']
const requested = ({ apply }: TDeploy) => without(apply, NOT_OF_SPEC)
const without = (fields: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

/** Whether the request made the server, or would make one like it (TD-R4). */
function isMadeFor(deploy: TDeploy, target: Found<TServer>): boolean {
  if (target.metadata.annotations?.[ANNOTATIONS.deploy] === uidOf(deploy)) return true
  return !isTerminating(target) && isSame(compared(deploy.apply), compared(target.spec ?? {}))
}

/** As admission completes it (TS-M7). What a release and the other mutations change does not count. */
function compared(spec: NonNullable<Found<TServer>['spec']>) {
  const { k8s = {}, ...rest } = without(spec, NOT_OF_SPEC)
  const notStacked = spec.k8s?.notStacked === true || needsNodeOfItsOwn(spec)
  return { ...rest, k8s: { ...without(k8s, ['replicas', 'readinessGate']), notStacked } }
}

function completion({ metadata: { namespace = '', name, uid = '', resourceVersion = '' } }: TDeploy): Action {
  return {
    do: 'merge',
    of: TDEPLOY,
    ref: { namespace, name },
    expects: { uid, resourceVersion },
    patch: { deployed: true },
    because: 'TD-R3',
  }
}

function outControl({ metadata: { namespace, name } }: Found<TServer>): Notice {
  const message = `TServer ${namespace}/${name} exists and is not what this request asks for (TD-R4)`
  return { type: 'Warning', reason: 'OutControl', message }
}

const deployFailed = ({ message = 'the API server refuses the TServer' }: Result): Notice => ({
  type: 'Warning',
  reason: 'DeployFailed',
  message,
})
