import type { Tree } from '../../../src/schema.ts'
import { TDEPLOY } from '../../../webhooks/tars/tdeploy/schema.ts'
import { APPROVED, aTDeploy, REJECTED } from '../../support/builders/deploys.ts'
import { aMount, aServant } from '../../support/builders/servers.ts'
import { MUTATING } from '../../support/desk.ts'
import { reviewsOf, withRequest } from '../../support/reviews.ts'
import {
  allowed,
  FORCED,
  forbidden,
  type Group,
  having,
  invalid,
  inWords,
  MANAGED,
  mutated,
  patched,
  raw,
  unchecked,
  validated,
} from './entry.ts'

const { creationOf, updateOf, deletionOf } = reviewsOf(TDEPLOY)
const asked = aTDeploy()
const isNew = (object: unknown) => validated(creationOf(object))
const isMade = (object: unknown) => mutated(creationOf(object))
const applying = (apply: Tree) => isNew(aTDeploy({ apply }))
/** From a request to its decision. */
const decided = (approve: unknown) => validated(updateOf(asked, aTDeploy({ approve })))
const toBeDecided = (approve: unknown) => mutated(updateOf(asked, aTDeploy({ approve })))
const BY_HAND = { 'tars.io/ApprovedBy': 'eve' }
const many = <T>(count: number, of: (at: number) => T) => Array.from({ length: count }, (_, at) => of(at))

export const TDEPLOYS: readonly Group[] = [
  allowed({
    'a request with nothing wrong': isNew(asked),
    'no apply, to be mutated': isMade(having(asked, { apply: undefined })),
    'a list for apply, to be mutated': isMade(having(asked, { apply: [] })),
    'deployed "yes" on creation, to be mutated': isMade(aTDeploy({ deployed: 'yes' })),
    'a mount with 100 KB of slashes in its path': applying({
      k8s: { mounts: [aMount({ mountPath: `${'/'.repeat(100_000)}!` })] },
    }),
    'an approval': decided(APPROVED),
    'approve true, to be mutated': toBeDecided(true),
    'approve null, to be mutated': toBeDecided(null),
    'a result "true", to be mutated': toBeDecided({ ...APPROVED, result: 'true' }),
    'a result null, to be mutated': toBeDecided({ ...APPROVED, result: null }),
    'the same approval, its fields in another order': validated(
      updateOf(
        aTDeploy({ approve: APPROVED }),
        aTDeploy({ approve: Object.fromEntries(Object.entries(APPROVED).toReversed()) }),
      ),
    ),
    'a mark with NUL, CRLF and a lone surrogate': inWords(creationOf(aTDeploy({ apply: { mark: '#' } })), {
      '#': '"a\\u0000\\r\\n\\ud800"',
    }),
    'a name of 254 characters': isNew(aTDeploy({ name: 'a'.repeat(254) })),
    'a name in unicode': isNew(aTDeploy({ name: 'größe' })),
    'an update of what fits no schema': validated(
      updateOf(having(asked, { apply: 7 }), aTDeploy({ approve: APPROVED })),
    ),
    'an object being deleted': validated(
      updateOf(aTDeploy({ going: true }), having(aTDeploy({ going: true }), { status: 7 }, { finalizers: [7] })),
    ),
    '200 managedFields and a forced server-side apply': validated(
      withRequest(creationOf(having(asked, {}, { managedFields: MANAGED })), { options: FORCED }),
    ),
    'decided at 9999-99-99': decided({ ...APPROVED, time: '9999-99-99T99:99:99Z' }),
    'decided at 24:00:00': decided({ ...APPROVED, time: '2026-11-18T24:00:00Z' }),
    'decided at +99:99': decided({ ...APPROVED, time: '2026-11-18T12:00:00+99:99' }),
    'decided with words behind the time': decided({ ...APPROVED, time: '2026-11-18T12:00:00Ztea' }),
    'decided by somebody in unicode': decided({ ...APPROVED, person: 'größe' }),
    'decided by 17 characters': decided({ ...APPROVED, person: 'a'.repeat(17) }),
    'a regex bomb for who decided': decided({ ...APPROVED, person: `${'a-'.repeat(100_000)}!` }),
    'port −1': applying({ tars: { template: 'base', servants: [aServant({ port: -1 })] } }),
    'port −0': inWords(
      creationOf(aTDeploy({ apply: { tars: { template: 'base', servants: [aServant({ port: '#' })] } } })),
      { '#': '-0' },
    ),
    'replicas beyond 2^53': inWords(creationOf(aTDeploy({ apply: { k8s: { replicas: '#' } } })), {
      '#': '9007199254740993',
    }),
    'an app in unicode': applying({ app: 'Größe' }),
  }),
  patched(
    {
      'a text for apply, approved already, to be mutated': isMade(having(asked, { apply: 'x', approve: APPROVED })),
      'an approve on creation, to be mutated': isMade(aTDeploy({ approve: APPROVED })),
      'a text for approve on creation, to be mutated': isMade(aTDeploy({ approve: 'yes' })),
      'true for approve on creation, to be mutated': isMade(aTDeploy({ approve: true })),
      'null for approve on creation, to be mutated': isMade(aTDeploy({ approve: null })),
      'a list for approve on creation, to be mutated': isMade(aTDeploy({ approve: [APPROVED] })),
      '1e400 for approve on creation, to be mutated': inWords(
        creationOf(aTDeploy({ approve: '#' })),
        { '#': '1e400' },
        MUTATING,
      ),
      'labels that are numbers, to be mutated': isMade(
        having(aTDeploy({ approve: APPROVED }), {}, { labels: { a: 1 } }),
      ),
    },
    [{ op: 'remove', path: '/approve' }],
  ),
  invalid('approve: must not be set when the request is created; create the request, and decide afterwards (TD-V1)', {
    'an approve on creation': isNew(aTDeploy({ approve: APPROVED })),
  }),
  invalid('deployed: must not be set when the request is created; leave it to the controller (TD-V2)', {
    'deployed on creation': isNew(aTDeploy({ deployed: true })),
  }),
  patched({ 'deployed on creation, to be mutated': isMade(aTDeploy({ deployed: true })) }, [
    { op: 'remove', path: '/deployed' },
  ]),
  forbidden('deployed: only the controller may set this field; leave it as it was (TD-V6)', {
    'deployed on an object being deleted': validated(
      updateOf(aTDeploy({ going: true }), aTDeploy({ deployed: true, going: true })),
    ),
    'deployed by hand': validated(updateOf(asked, aTDeploy({ deployed: true }))),
  }),
  patched({ 'an approval, to be mutated': toBeDecided(APPROVED) }, [
    { op: 'add', path: '/metadata/labels/tars.io~1Approve', value: 'Approved' },
    { op: 'add', path: '/metadata/annotations', value: { 'tars.io/ApprovedBy': 'ann' } },
  ]),
  patched(
    {
      'a rejection, to be mutated': toBeDecided(REJECTED),
      'approve that stands twice, of which the last counts': raw(
        JSON.stringify(updateOf(asked, aTDeploy({ approve: REJECTED }))).replace(
          '"approve":',
          '"approve":true,"approve":',
        ),
        MUTATING,
      ),
    },
    [
      { op: 'add', path: '/metadata/labels/tars.io~1Approve', value: 'Reject' },
      { op: 'add', path: '/metadata/annotations', value: { 'tars.io/ApprovedBy': 'ann' } },
    ],
  ),
  patched(
    {
      'an approval with ApprovedBy by hand, to be mutated': mutated(
        updateOf(asked, aTDeploy({ approve: APPROVED, annotations: BY_HAND })),
      ),
      'an update of what fits no schema, to be mutated': mutated(
        updateOf(having(asked, { apply: 7 }), aTDeploy({ approve: APPROVED, annotations: BY_HAND })),
      ),
    },
    [
      { op: 'add', path: '/metadata/labels/tars.io~1Approve', value: 'Approved' },
      { op: 'add', path: '/metadata/annotations/tars.io~1ApprovedBy', value: 'ann' },
    ],
  ),
  patched(
    {
      'ApprovedBy by hand and nothing decided, to be mutated': mutated(
        updateOf(asked, aTDeploy({ annotations: BY_HAND })),
      ),
    },
    [{ op: 'remove', path: '/metadata/annotations/tars.io~1ApprovedBy' }],
  ),
  patched(
    {
      'the label Approved by hand, to be mutated': mutated(
        updateOf(asked, aTDeploy({ labels: { 'tars.io/Approve': 'Approved' } })),
      ),
      'labels with / and ~, to be mutated': isMade(having(asked, {}, { labels: { 'a/b~c': 'x', '~1': 'y' } })),
    },
    [{ op: 'add', path: '/metadata/labels/tars.io~1Approve', value: 'Pending' }],
  ),
  patched({ 'an empty approve, to be mutated': toBeDecided({}) }, [
    { op: 'add', path: '/metadata/annotations', value: { 'tars.io/ApprovedBy': 'ann' } },
  ]),
  forbidden('approve: already decided, cannot be changed; create another request (TD-V4)', {
    'a decision that is taken back': validated(
      updateOf(aTDeploy({ approve: REJECTED }), aTDeploy({ approve: APPROVED })),
    ),
    'a decision that is taken away': validated(updateOf(aTDeploy({ approve: APPROVED }), asked)),
  }),
  forbidden('apply: cannot be changed after the decision; create another request (TD-V5)', {
    'a request that is changed behind its approval': validated(
      updateOf(aTDeploy({ approve: APPROVED }), aTDeploy({ approve: APPROVED, apply: { server: 'Other' } })),
    ),
  }),
  invalid(
    'apply: TServer demo/demo-idle already exists; ask for another app or server, or delete that TServer first (TD-V7, TD-V3)',
    {
      'the approval of a server that is there already': validated(
        updateOf(aTDeploy({ apply: { server: 'Idle' } }), aTDeploy({ apply: { server: 'Idle' }, approve: APPROVED })),
      ),
    },
  ),
  invalid(
    'apply: TServer demo/demo-idle already exists; ask for another app or server, or delete that TServer first (TD-V3)',
    { 'a request for a server that is there already': applying({ server: 'Idle' }) },
  ),
  allowed(
    {
      'a request with a template that there is not': applying({
        tars: { template: 'nowhere', servants: [aServant()] },
      }),
    },
    'apply.tars.template: TTemplate demo/nowhere does not exist; create it first, or name another (TD-V8, TS-V15)',
  ),
  allowed(
    { 'an app of 63 characters': applying({ app: 'A'.repeat(63) }) },
    'apply.server: must be at most 58 characters; shorten apply.app or apply.server (TD-V8, TS-V7)\napply.k8s.abilityAffinity: label key "tars.io/ability.demo.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA… (TD-V8, TS-V25)',
  ),
  patched({ 'labels null, to be mutated': isMade(having(asked, {}, { labels: null })) }, [
    { op: 'add', path: '/metadata/labels', value: { 'tars.io/Approve': 'Pending' } },
  ]),
  allowed(
    { 'a status-only update': validated(updateOf(asked, asked, { subResource: 'status' })) },
    'no handler for UPDATE of tdeploys/status v1beta2 on /validating',
  ),
  allowed({ 'a deletion': validated(deletionOf(asked)) }, 'no handler for DELETE of tdeploys v1beta2 on /validating'),
  allowed(
    { 'a release in the request': applying({ release: { id: 'r1', image: 'a' } }) },
    'apply.release: a field that this tars-admission does not know, so no rule looks at it (CV-8)',
  ),
  allowed(
    {
      'a request of 10,000 servants': applying({
        tars: { template: 'base', servants: many(10_000, () => aServant()) },
      }),
      'a request of 64 servants of one name and port': applying({
        tars: { template: 'base', servants: many(64, () => aServant()) },
      }),
    },
    'apply.tars.servants[1].name: "EchoObj" duplicates servants[0] (compared without case); give each a name … (TD-V8, TS-V8)\napply.tars.servants[2].name: "EchoObj" duplicates servants[0] (compared without case); give each a name … (TD-V8, TS-V8)\napply.tars.servants[3].name: "EchoObj" duplicates servants[0] (compared without case); give each a name … (TD-V8, TS-V8)\napply.tars.servants[4].name: "EchoObj" duplicates servants[0] (compared without case); give each a name … (TD-V8, TS-V8)\napply.tars.servants[5].name: "EchoObj" duplicates servants[0] (compared without case); give each a name … (TD-V8, TS-V8)\napply.tars.servants[6].name: "EchoObj" duplicates servants[0] (compared without case); give each a name … (TD-V8, TS-V8)\napply.tars.servants[7].name: "EchoObj" duplicates servants[0] (compared without case); give each a name … (TD-V8, TS-V8)\napply.tars.servants[8].name: "EchoObj" duplicates servants[0] (compared without case); give each a name … (TD-V8, TS-V8)\napply.tars.servants[9].name: "EchoObj" duplicates servants[0] (compared without case); give each a name … (TD-V8, TS-V8)\nand 91 more warnings',
  ),
  allowed(
    { 'a regex bomb for the app': applying({ app: `${'a-'.repeat(100_000)}!` }) },
    'apply.server: must be at most 58 characters; shorten apply.app or apply.server (TD-V8, TS-V7)\napply.k8s.abilityAffinity: label key "tars.io/ability.demo.a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-… (TD-V8, TS-V25)',
  ),
  allowed(
    { 'an app of 254 characters': applying({ app: 'a'.repeat(254) }) },
    'apply.server: must be at most 58 characters; shorten apply.app or apply.server (TD-V8, TS-V7)\napply.k8s.abilityAffinity: label key "tars.io/ability.demo.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa… (TD-V8, TS-V25)',
  ),
  ...unchecked({
    apply: { 'no apply': isNew(having(asked, { apply: undefined })) },
    approve: { 'approve true': decided(true) },
    'approve.person': { 'an empty approve': decided({}) },
    'approve.result': {
      'a result "true"': decided({ ...APPROVED, result: 'true' }),
      'a result of 1': decided({ ...APPROVED, result: 1 }),
      'a result null': decided({ ...APPROVED, result: null }),
    },
    'approve.time': { 'decided at a list': decided({ ...APPROVED, time: [] }) },
    'apply.tars.servants[0].port': {
      'port "80"': applying({ tars: { template: 'base', servants: [aServant({ port: '80' })] } }),
    },
    'apply.k8s.replicas': {
      'replicas of 1e400': inWords(creationOf(aTDeploy({ apply: { k8s: { replicas: '#' } } })), { '#': '1e400' }),
    },
  }),
]
