import type { Tree } from '../../../src/schema.ts'
import { TDEPLOY } from '../../../webhooks/tars/tdeploy/schema.ts'
import { MUTATING } from '../../support/answerer-parts.ts'
import { APPROVED, aTDeploy, REJECTED } from '../../support/builders/deploys.ts'
import { aMount, aServant } from '../../support/builders/servers.ts'
import { asking, bomb, many, nine, over, reworded, STATUS, table } from './entry.ts'

const requested = aTDeploy()
const { updateOf, having, isNew, isMade, isChanged, isRemade, isGone, made, created, isForced } = asking(
  TDEPLOY,
  requested,
)
const applying = (apply: Tree, word?: string) => isNew(aTDeploy({ apply }), word)
const serving = (servants: readonly object[], template = 'base', word?: string) =>
  applying({ tars: { template, servants } }, word)
/** From a request to its decision. */
const decided = (approve: unknown) => isChanged(requested, aTDeploy({ approve }))
const toBeDecided = (approve: unknown) => isRemade(requested, aTDeploy({ approve }))
const approved = aTDeploy({ approve: APPROVED })
const going = aTDeploy({ going: true })
const byHand = (approve?: unknown) => aTDeploy({ approve, annotations: { 'tars.io/ApprovedBy': 'eve' } })

export const TDEPLOYS = table`
  allowed
    a request with nothing wrong | ${isNew(requested)}
    no apply, to be mutated | ${made({ apply: undefined })}
    a list for apply, to be mutated | ${made({ apply: [] })}
    deployed "yes" on creation, to be mutated | ${isMade(aTDeploy({ deployed: 'yes' }))}
    a mount with 100 KB of slashes in its path | ${applying({ k8s: { mounts: [aMount({ mountPath: `${'/'.repeat(100_000)}!` })] } })}
    an approval | ${decided(APPROVED)}
    approve true, to be mutated | ${toBeDecided(true)}
    approve null, to be mutated | ${toBeDecided(null)}
    a result "true", to be mutated | ${toBeDecided({ ...APPROVED, result: 'true' })}
    a result null, to be mutated | ${toBeDecided({ ...APPROVED, result: null })}
    the same approval, its fields in another order | ${isChanged(approved, aTDeploy({ approve: Object.fromEntries(Object.entries(APPROVED).toReversed()) }))}
    a mark with NUL, CRLF and a lone surrogate | ${applying({ mark: '#' }, '"a\\u0000\\r\\n\\ud800"')}
    a name of 254 characters | ${isNew(aTDeploy({ name: 'a'.repeat(254) }))}
    a name in unicode | ${isNew(aTDeploy({ name: 'größe' }))}
    an update of what fits no schema | ${isChanged(having({ apply: 7 }), approved)}
    an object being deleted | ${isChanged(going, over(going, { status: 7 }, { finalizers: [7] }))}
    200 managedFields and a forced server-side apply | ${isForced()}
    decided at 9999-99-99 | ${decided({ ...APPROVED, time: '9999-99-99T99:99:99Z' })}
    decided at 24:00:00 | ${decided({ ...APPROVED, time: '2026-11-18T24:00:00Z' })}
    decided at +99:99 | ${decided({ ...APPROVED, time: '2026-11-18T12:00:00+99:99' })}
    decided with words behind the time | ${decided({ ...APPROVED, time: '2026-11-18T12:00:00Ztea' })}
    decided by somebody in unicode | ${decided({ ...APPROVED, person: 'größe' })}
    decided by 17 characters | ${decided({ ...APPROVED, person: 'a'.repeat(17) })}
    a regex bomb for who decided | ${decided({ ...APPROVED, person: bomb() })}
    port −1 | ${serving([aServant({ port: -1 })])}
    port −0 | ${serving([aServant({ port: '#' })], 'base', '-0')}
    replicas beyond 2^53 | ${applying({ k8s: { replicas: '#' } }, '9007199254740993')}
    an app in unicode | ${applying({ app: 'Größe' })}
  patched [{"op":"remove","path":"/approve"}]
  approve: {} is removed, for a request is decided after it is created (TD-M1)
    a text for apply, approved already, to be mutated | ${made({ apply: 'x', approve: APPROVED })} | {"person":"admin","reason":"test","result":tr…
    an approve on creation, to be mutated | ${isMade(approved)} | {"person":"admin","reason":"test","result":tr…
    a text for approve on creation, to be mutated | ${isMade(aTDeploy({ approve: 'yes' }))} | "yes"
    true for approve on creation, to be mutated | ${isMade(aTDeploy({ approve: true }))} | true
    a list for approve on creation, to be mutated | ${isMade(aTDeploy({ approve: [APPROVED] }))} | [{"person":"admin","reason":"test","result":t…
    1e400 for approve on creation, to be mutated | ${isMade(aTDeploy({ approve: '#' }), '1e400')} | Infinity
    labels that are numbers, to be mutated | ${isMade(over(approved, {}, { labels: { a: 1 } }))} | {"person":"admin","reason":"test","result":tr…
  patched {}
    null for approve on creation, to be mutated | ${isMade(aTDeploy({ approve: null }))} | [{"op":"remove","path":"/approve"}]
    labels with / and ~, to be mutated | ${made({}, { labels: { 'a/b~c': 'x', '~1': 'y' } })} | [{"op":"add","path":"/metadata/labels/tars.io~1Approve","value":"Pending"}]
    an empty approve, to be mutated | ${toBeDecided({})} | [{"op":"add","path":"/metadata/annotations","value":{"tars.io/ApprovedBy":"ann"}}]
    labels null, to be mutated | ${made({}, { labels: null })} | [{"op":"add","path":"/metadata/labels","value":{"tars.io/Approve":"Pending"}}]
    deployed on creation, to be mutated | ${isMade(aTDeploy({ deployed: true }))} | [{"op":"remove","path":"/deployed"}] | deployed: true is removed, for a new request is not deployed yet (TD-M2)
    ApprovedBy by hand and nothing decided, to be mutated | ${isRemade(requested, byHand())} | [{"op":"remove","path":"/metadata/annotations/tars.io~1ApprovedBy"}] | metadata.annotations[tars.io/ApprovedBy]: "eve" is removed, for the webhook notes who decided (UX-8)
    the label Approved by hand, to be mutated | ${isRemade(requested, aTDeploy({ labels: { 'tars.io/Approve': 'Approved' } }))} | [{"op":"add","path":"/metadata/labels/tars.io~1Approve","value":"Pending"}] | metadata.labels[tars.io/Approve]: "Approved" becomes "Pending", for it mirrors approve (TD-M4)
  Invalid {}
    an approve on creation | ${isNew(approved)} | approve: must not be set when the request is created; create the request, and decide afterwards (TD-V1)
    deployed on creation | ${isNew(aTDeploy({ deployed: true }))} | deployed: must not be set when the request is created; leave it to the controller (TD-V2)
  Forbidden {}
    deployed on an object being deleted | ${isChanged(going, aTDeploy({ deployed: true, going: true }))} | deployed: only the controller may set this field; leave it as it was (TD-V6)
    deployed by hand | ${isChanged(requested, aTDeploy({ deployed: true }))} | deployed: only the controller may set this field; leave it as it was (TD-V6)
    a decision that is taken back | ${isChanged(aTDeploy({ approve: REJECTED }), approved)} | approve: already decided, cannot be changed; create another request (TD-V4)
    a decision that is taken away | ${isChanged(approved, requested)} | approve: already decided, cannot be changed; create another request (TD-V4)
    a request that is changed behind its approval | ${isChanged(approved, aTDeploy({ approve: APPROVED, apply: { server: 'Other' } }))} | apply: cannot be changed after the decision; create another request (TD-V5)
  patched [{"op":"add","path":"/metadata/labels/tars.io~1Approve","value":"{}"},{"op":"add","path":"/metadata/annotations","value":{"tars.io/ApprovedBy":"ann"}}]
    an approval, to be mutated | ${toBeDecided(APPROVED)} | Approved
    a rejection, to be mutated | ${toBeDecided(REJECTED)} | Reject
    approve that stands twice, of which the last counts | ${reworded(updateOf(requested, aTDeploy({ approve: REJECTED })), '"approve":', '"approve":true,"approve":', MUTATING)} | Reject
  patched [{"op":"add","path":"/metadata/labels/tars.io~1Approve","value":"Approved"},{"op":"add","path":"/metadata/annotations/tars.io~1ApprovedBy","value":"ann"}]
  metadata.annotations[tars.io/ApprovedBy]: "eve" becomes "ann", for the webhook notes who decided (UX-8)
    an approval with ApprovedBy by hand, to be mutated | ${isRemade(requested, byHand(APPROVED))}
    an update of what fits no schema, to be mutated | ${isRemade(having({ apply: 7 }), byHand(APPROVED))}
  Invalid apply: TServer demo/demo-idle already exists; ask for another app or server, or delete that TServer first ({})
    the approval of a server that is there already | ${isChanged(aTDeploy({ apply: { server: 'Idle' } }), aTDeploy({ apply: { server: 'Idle' }, approve: APPROVED }))} | TD-V7, TD-V3
    a request for a server that is there already | ${applying({ server: 'Idle' })} | TD-V3
  allowed {}
    a status-only update | ${isChanged(requested, requested, STATUS)} | no handler for UPDATE of tdeploys/status v1beta2 on /validating
    a deletion | ${isGone(requested)} | no handler for DELETE of tdeploys v1beta2 on /validating
    a request with a template that there is not | ${serving([aServant()], 'nowhere')} | apply.tars.template: TTemplate demo/nowhere does not exist; create it first, or name another (TD-V8, TS-V15)
    a release in the request | ${applying({ release: { id: 'r1', image: 'a' } })} | apply.release: a field that this tars-admission does not know, so no rule looks at it (CV-8)
  allowed apply.server: must be at most 58 characters; shorten apply.app or apply.server (TD-V8, TS-V7)
  apply.k8s.abilityAffinity: label key "tars.io/ability.demo.{}… (TD-V8, TS-V25)
    an app of 63 characters | ${applying({ app: 'A'.repeat(63) })} | AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
    a regex bomb for the app | ${applying({ app: bomb() })} | a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-
    an app of 254 characters | ${applying({ app: 'a'.repeat(254) })} | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
  allowed ${nine((at) => `apply.tars.servants[${at + 1}].name: "EchoObj" duplicates servants[0] (compared without case); give each a name … (TD-V8, TS-V8)`)}
  and 91 more warnings
    a request of 10,000 servants | ${serving(many(10_000, () => aServant()))}
    a request of 64 servants of one name and port | ${serving(many(64, () => aServant()))}
  allowed {}: of another shape than this tars-admission knows, so the object is not checked (CV-8)
    no apply | ${created({ apply: undefined })} | apply
    approve true | ${decided(true)} | approve
    an empty approve | ${decided({})} | approve.person
    a result "true" | ${decided({ ...APPROVED, result: 'true' })} | approve.result
    a result of 1 | ${decided({ ...APPROVED, result: 1 })} | approve.result
    a result null | ${decided({ ...APPROVED, result: null })} | approve.result
    decided at a list | ${decided({ ...APPROVED, time: [] })} | approve.time
    port "80" | ${serving([aServant({ port: '80' })])} | apply.tars.servants[0].port
    replicas of 1e400 | ${applying({ k8s: { replicas: '#' } }, '1e400')} | apply.k8s.replicas
`
