import {
  type Advice,
  annotation,
  type DraftChange,
  drop,
  dropAnnotation,
  type Edit,
  isSame,
  label,
  type Mutation,
  type Removal,
} from '../../kit/admission.ts'
import { ANNOTATIONS, LABELS } from '../names.ts'
import type { TDeploy } from './schema.ts'

type DeployDraftChange = DraftChange<TDeploy>

const APPROVE = '/approve'
const UNDECIDED = 'a request is decided after it is created'

/** A new request cannot be approved before it is read, so approve is removed even where it is malformed. */
export const removals: readonly Removal[] = [{ id: 'TD-M1', path: APPROVE, on: 'create', why: UNDECIDED }]

const isNew = ({ operation }: DeployDraftChange) => operation === 'CREATE'
const isOld = ({ operation }: DeployDraftChange) => operation === 'UPDATE'

export const mutations: readonly Mutation<TDeploy>[] = [
  {
    id: 'TD-M1',
    says: 'removes approve from a new request',
    why: UNDECIDED,
    when: isNew,
    edits: () => [drop(APPROVE)],
  },
  {
    id: 'TD-M2',
    says: 'removes deployed from a new request',
    why: 'a new request is not deployed yet',
    when: isNew,
    edits: () => [drop('/deployed')],
  },
  {
    id: 'TD-M3',
    says: `sets label ${LABELS.approve} of a new request to Pending; labels come with it where there are none (TD-M5)`,
    why: 'a new request is pending',
    when: isNew,
    edits: () => [label(LABELS.approve, 'Pending')],
  },
  {
    id: 'TD-M4',
    says: `sets label ${LABELS.approve} to Pending, Approved or Reject, as approve says; a rejection is asked nothing more (TD-V9)`,
    why: 'it mirrors approve',
    when: isOld,
    edits: ({ next }) => [label(LABELS.approve, stateOf(next))],
  },
  {
    id: 'UX-8',
    says: `sets annotation ${ANNOTATIONS.approvedBy} to the user who decided; by hand it cannot be set`,
    why: 'the webhook notes who decided',
    edits: (given) => (isDecision(given) ? signed(given) : [asBefore(given)]),
  },
]

function stateOf({ approve }: DeployDraftChange['next']): string {
  if (approve?.result === undefined) return 'Pending'
  return approve.result ? 'Approved' : 'Reject'
}

/** TD-M1 has already removed approve from a new request. */
function isDecision({ next, prev }: DeployDraftChange): boolean {
  return next.approve !== undefined && !isSame(next.approve, prev?.approve)
}

function signed({ user }: DeployDraftChange): Advice {
  return { edits: [annotation(ANNOTATIONS.approvedBy, user.name)], audit: { 'approved-by': user.name } }
}

function asBefore({ next, prev }: DeployDraftChange): Edit {
  const signer = next.approve === undefined ? undefined : prev?.metadata?.annotations?.[ANNOTATIONS.approvedBy]
  return signer === undefined ? dropAnnotation(ANNOTATIONS.approvedBy) : annotation(ANNOTATIONS.approvedBy, signer)
}
