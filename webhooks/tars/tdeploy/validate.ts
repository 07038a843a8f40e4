import { type Findings, isSame, type Rule, type Update } from '../../kit/admission.ts'
import type { ClusterReader } from '../../kit/schema.ts'
import { existingTarget, refusedTarget } from './requested.ts'
import type { TDeploy } from './schema.ts'

const newName = 'ask for another app or server, or delete that TServer first'

const EXISTING: Rule<TDeploy> = {
  id: 'TD-V3',
  field: 'apply',
  on: 'create',
  reason: 'Duplicate',
  live: true,
  check: existingTarget,
  message: ({ value }) => `TServer ${value} already exists`,
  remedy: newName,
}

/** Findings of TD-V7 and TD-V8 carry the texts of the borrowed rules; these texts are for docs/rules.md alone. */
const BORROWED = {
  words: 'the TServer rule says that the request violates, with `apply` for `spec`',
  remedy: 'what that rule says; the message ends with both ids',
}

/** A rejection (TD-V9) needs no rule: it creates nothing. */
export const rules: readonly Rule<TDeploy>[] = [
  {
    id: 'TD-V1',
    field: 'approve',
    on: 'create',
    check: ({ next }) => (next.approve === undefined ? [] : [{ path: 'approve' }]),
    message: () => 'must not be set when the request is created',
    remedy: 'create the request, and decide afterwards',
  },
  {
    id: 'TD-V2',
    field: 'deployed',
    on: 'create',
    check: ({ next }) => (next.deployed === undefined ? [] : [{ path: 'deployed' }]),
    message: () => 'must not be set when the request is created',
    remedy: 'leave it to the controller',
  },
  EXISTING,
  {
    id: 'TD-V4',
    field: 'approve',
    on: 'update',
    reason: 'Forbidden',
    exempt: ['CTRL'],
    when: wasDecided,
    check: ({ next, prev }) => (isSame(next.approve, prev.approve) ? [] : [{ path: 'approve' }]),
    message: () => 'already decided, cannot be changed',
    remedy: 'create another request',
  },
  {
    id: 'TD-V5',
    field: 'apply',
    on: 'update',
    reason: 'Forbidden',
    exempt: ['CTRL'],
    when: (given) => wasDecided(given) && asksAnew(given),
    check: () => [{ path: 'apply' }],
    message: () => 'cannot be changed after the decision',
    remedy: 'create another request',
  },
  {
    id: 'TD-V6',
    field: 'deployed',
    on: 'update',
    reason: 'Forbidden',
    exempt: ['CTRL'],
    check: ({ next, prev }) => (isDeployed(next) === isDeployed(prev) ? [] : [{ path: 'deployed' }]),
    message: () => 'only the controller may set this field',
    remedy: 'leave it as it was',
  },
  {
    id: 'TD-V7',
    field: 'apply',
    on: 'update',
    live: true,
    exempt: ['CTRL'],
    when: isApproval,
    check: undeployable,
    message: () => `what ${EXISTING.id} or ${BORROWED.words}`,
    remedy: BORROWED.remedy,
  },
  {
    id: 'TD-V8',
    field: 'apply',
    on: 'write',
    effect: 'warn',
    when: (given) => given.operation === 'CREATE' || (asksAnew(given) && !isApproval(given)),
    check: refusedTarget,
    message: () => `what ${BORROWED.words}`,
    remedy: BORROWED.remedy,
  },
]

function wasDecided({ prev }: Update<TDeploy>): boolean {
  return prev.approve !== undefined
}

function asksAnew({ next, prev }: Update<TDeploy>): boolean {
  return !isSame(next.apply, prev.apply)
}

function isApproval({ next, prev }: Update<TDeploy>): boolean {
  return next.approve?.result === true && prev.approve?.result !== true
}

function isDeployed({ deployed = false }: TDeploy): boolean {
  return deployed
}

/** Repeats the checks of CREATE and adds the TServer rules. */
async function undeployable(given: Update<TDeploy>, cluster: ClusterReader): Promise<Findings> {
  const [existing, refused] = await Promise.all([existingTarget(given, cluster), refusedTarget(given, cluster)])
  return [...existing.map((finding) => ({ ...finding, through: EXISTING })), ...refused]
}
