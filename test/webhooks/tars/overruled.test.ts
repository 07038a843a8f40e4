import { describe, expect, it } from 'vitest'
import type { Built, Gvr } from '../../../src/cluster/port.ts'
import { LAST_APPLIED } from '../../../src/kube/metadata.ts'
import type { Tree } from '../../../src/schema.ts'
import { TACCOUNT } from '../../../webhooks/tars/taccount/schema.ts'
import { TCONFIG } from '../../../webhooks/tars/tconfig/schema.ts'
import { TDEPLOY } from '../../../webhooks/tars/tdeploy/schema.ts'
import { TIMAGE } from '../../../webhooks/tars/timage/schema.ts'
import { TSERVER } from '../../../webhooks/tars/tserver/schema.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { TTREE } from '../../../webhooks/tars/ttree/schema.ts'
import { answered, MUTATING } from '../../support/answerer-parts.ts'
import { A_TOKEN, aTAccount, hashFor } from '../../support/builders/accounts.ts'
import { aTConfig } from '../../support/builders/configs.ts'
import { APPROVED, aTDeploy } from '../../support/builders/deploys.ts'
import { aRelease as anImageRelease, aTImage } from '../../support/builders/images.ts'
import { aRelease, aTServer } from '../../support/builders/servers.ts'
import { aBusiness, anApp, aTTree } from '../../support/builders/tars-trees.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { due } from '../../support/due.ts'
import { readersOf } from '../../support/fakes/readers.ts'
import { kinds } from '../../support/kinds.ts'
import { reviewsOf } from '../../support/reviews.ts'

interface Case {
  readonly id: string
  readonly name?: string
  readonly of: Gvr
  readonly written: Built
  /** On UPDATE. */
  readonly stored?: Built
  readonly warnings: readonly string[]
}

const labelled = (object: Built, labels: Tree): Built => within(object, 'labels', labels)
const annotated = (object: Built, annotations: Tree): Built => within(object, 'annotations', annotations)
function within(object: Built, field: 'labels' | 'annotations', entries: Tree): Built {
  return { ...object, metadata: { ...object.metadata, [field]: { ...object.metadata[field], ...entries } } }
}

/** By the letter, for each mutation: what an author wrote that does not stand. */
const SERVER = aTServer({ k8s: { replicas: 0 } })
const NORMAL = aTServer({ normal: [], k8s: { replicas: 0 } })
const bounds = { 'tars.io/MinReplicas': '2', 'tars.io/MaxReplicas': '4' }
const released = (replicas: number) => aTServer({ release: aRelease(), k8s: { replicas }, annotations: bounds })
const DEPLOY = aTDeploy()
const PASSWORD = 'Passw0rd!'
const ACCOUNT = aTAccount()
const hashed = { bcryptPassword: hashFor(PASSWORD), tokens: [A_TOKEN] }

const CASES: readonly Case[] = [
  {
    id: 'TS-M1',
    of: TSERVER,
    written: labelled(SERVER, { 'tars.io/ServerApp': 'Other' }),
    warnings: ['metadata.labels[tars.io/ServerApp]: "Other" becomes "Demo", for it mirrors spec.app (TS-M1)'],
  },
  {
    id: 'TS-M2',
    of: TSERVER,
    written: labelled(SERVER, { 'tars.io/ServerName': 'Other' }),
    warnings: ['metadata.labels[tars.io/ServerName]: "Other" becomes "Echo", for it mirrors spec.server (TS-M2)'],
  },
  {
    id: 'TS-M3',
    of: TSERVER,
    written: labelled(SERVER, { 'tars.io/SubType': 'normal' }),
    warnings: ['metadata.labels[tars.io/SubType]: "normal" becomes "tars", for it mirrors spec.subType (TS-M3)'],
  },
  {
    id: 'TS-M4',
    of: TSERVER,
    written: labelled(SERVER, { 'tars.io/Template': 'other' }),
    warnings: ['metadata.labels[tars.io/Template]: "other" becomes "base", for it mirrors spec.tars.template (TS-M4)'],
  },
  {
    id: 'TS-M4',
    name: 'of a server that is none of tars',
    of: TSERVER,
    written: labelled(NORMAL, { 'tars.io/Template': 'base' }),
    warnings: ['metadata.labels[tars.io/Template]: "base" is removed, for it mirrors spec.tars.template (TS-M4)'],
  },
  {
    id: 'TS-M5',
    of: TSERVER,
    written: aTServer({ k8s: { replicas: 0, readinessGate: 'my/gate' } }),
    warnings: ['spec.k8s.readinessGate: "my/gate" becomes "tars.io/active", for a tars server has this gate (TS-M5)'],
  },
  {
    id: 'TS-M6',
    of: TSERVER,
    written: aTServer({ k8s: { replicas: 3 } }),
    warnings: ['spec.k8s.replicas: 3 becomes 0, for there is no release (TS-M6)'],
  },
  {
    id: 'TS-M6',
    name: 'where none ran before',
    of: TSERVER,
    stored: SERVER,
    written: aTServer({ k8s: { replicas: 1 } }),
    warnings: ['spec.k8s.replicas: 1 becomes 0, for there is no release (TS-M6)'],
  },
  {
    id: 'TS-M6',
    name: 'and its label',
    of: TSERVER,
    written: labelled(SERVER, { 'tars.io/ServerID': 'r1' }),
    warnings: [
      'metadata.labels[tars.io/ServerID]: "r1" is removed, for this version of the API has no such label (TS-M6)',
    ],
  },
  {
    id: 'TS-M7',
    of: TSERVER,
    stored: aTServer({ k8s: { replicas: 0, hostIPC: true, notStacked: true } }),
    written: aTServer({ k8s: { replicas: 0, hostIPC: true, notStacked: false } }),
    warnings: ['spec.k8s.notStacked: false becomes true, for hostPorts and hostIPC take a node each (TS-M7)'],
  },
  {
    id: 'TS-M9',
    of: TSERVER,
    stored: released(3),
    written: released(1),
    warnings: ['spec.k8s.replicas: 1 becomes 2, for annotation tars.io/MinReplicas asks for more (TS-M9)'],
  },
  {
    id: 'TS-M8',
    of: TSERVER,
    written: released(9),
    warnings: ['spec.k8s.replicas: 9 becomes 4, for annotation tars.io/MaxReplicas allows no more (TS-M8)'],
  },
  {
    id: 'TS-M13',
    of: TSERVER,
    written: aTServer({ normal: [], release: { ...aRelease(), nodeImage: 'node:v1', nodeSecret: 'pull' } }),
    warnings: [
      'spec.release.nodeImage: "node:v1" is removed, for only a tars server has one (TS-M13)',
      'spec.release.nodeSecret: "pull" is removed, for only a tars server has one (TS-M13)',
    ],
  },
  {
    id: 'TT-M1',
    of: TTEMPLATE,
    written: aTTemplate({ name: 'child', parent: 'base', labels: { 'tars.io/Parent': 'other' } }),
    warnings: ['metadata.labels[tars.io/Parent]: "other" becomes "base", for it mirrors spec.parent (TT-M1)'],
  },
  {
    id: 'TT-M2',
    of: TTEMPLATE,
    written: aTTemplate({ labels: { 'tars.io/Parent': 'other' } }),
    warnings: ['metadata.labels[tars.io/Parent]: "other" is removed, for a root template has no parent (TT-M2)'],
  },
  ...(
    [
      { id: 'TC-M1', key: 'tars.io/ServerApp', value: 'Demo', field: 'app' },
      { id: 'TC-M2', key: 'tars.io/ServerName', value: 'Echo', field: 'server' },
      { id: 'TC-M3', key: 'tars.io/Activated', value: 'true', field: 'activated' },
      { id: 'TC-M4', key: 'tars.io/ConfigName', value: 'echo.conf', field: 'configName' },
      { id: 'TC-M6', key: 'tars.io/PodSeq', value: 'm', field: 'podSeq' },
      { id: 'TC-M8', key: 'tars.io/Version', value: '20260101000000-1', field: 'version' },
    ] as const
  ).map(({ id, key, value, field }) => ({
    id,
    of: TCONFIG,
    stored: aTConfig(),
    written: labelled(aTConfig(), { [key]: 'x' }),
    warnings: [`metadata.labels[${key}]: "x" becomes "${value}", for it mirrors ${field} (${id})`],
  })),
  {
    id: 'TC-M7, TC-M8, TC-M9',
    of: TCONFIG,
    written: aTConfig(),
    warnings: [
      'version: "20260101000000-1" becomes "20261118120000-6962ccb5", for it is generated (TC-M7)',
      expect.stringMatching(
        /^metadata.labels\[tars.io\/Version\]: "20260101000000-1" becomes .* mirrors version \(TC-M8\)$/,
      ),
      'updateTime: "2026-01-01T00:00:00Z" becomes "2026-11-18T12:00:00Z", for it is the time of creation (TC-M9)',
    ],
  },
  {
    id: 'TC-M10',
    of: TCONFIG,
    stored: aTConfig({ annotations: { 'tars.io/MarkedAt': 'then' } }),
    written: aTConfig({ annotations: { 'tars.io/MarkedAt': 'now', 'tars.io/MarkedBy': 'me' } }),
    warnings: [
      'metadata.annotations[tars.io/MarkedAt]: "now" becomes "then", for it is written by admission alone (TC-M10)',
      'metadata.annotations[tars.io/MarkedBy]: "me" is removed, for it is written by admission alone (TC-M10)',
    ],
  },
  {
    id: 'TC-M11',
    of: TCONFIG,
    stored: aTConfig({ annotations: { 'tars.io/ActivatedBy': 'admin' } }),
    written: aTConfig({ annotations: { 'tars.io/ActivatedBy': 'evil' } }),
    warnings: ['metadata.annotations[tars.io/ActivatedBy]: "evil" becomes "admin", for admission notes it (TC-M11)'],
  },
  {
    id: 'TD-M1',
    of: TDEPLOY,
    written: aTDeploy({ approve: APPROVED }),
    warnings: [
      expect.stringMatching(/^approve: \{"person":"admin",.*… is removed, for a request is .* created \(TD-M1\)$/),
    ],
  },
  {
    id: 'TD-M1',
    name: 'of a wrong type',
    of: TDEPLOY,
    written: aTDeploy({ approve: 'yes' }),
    warnings: ['approve: "yes" is removed, for a request is decided after it is created (TD-M1)'],
  },
  {
    id: 'TD-M2',
    of: TDEPLOY,
    written: aTDeploy({ deployed: true }),
    warnings: ['deployed: true is removed, for a new request is not deployed yet (TD-M2)'],
  },
  {
    id: 'TD-M3',
    of: TDEPLOY,
    written: aTDeploy({ labels: { 'tars.io/Approve': 'Approved' } }),
    warnings: ['metadata.labels[tars.io/Approve]: "Approved" becomes "Pending", for a new request is pending (TD-M3)'],
  },
  {
    id: 'TD-M4',
    of: TDEPLOY,
    stored: DEPLOY,
    written: aTDeploy({ labels: { 'tars.io/Approve': 'Approved' } }),
    warnings: ['metadata.labels[tars.io/Approve]: "Approved" becomes "Pending", for it mirrors approve (TD-M4)'],
  },
  {
    id: 'UX-8',
    of: TDEPLOY,
    stored: DEPLOY,
    written: annotated(DEPLOY, { 'tars.io/ApprovedBy': 'bob' }),
    warnings: ['metadata.annotations[tars.io/ApprovedBy]: "bob" is removed, for the webhook notes who decided (UX-8)'],
  },
  {
    id: 'TI-M1',
    of: TIMAGE,
    written: aTImage({ labels: { 'tars.io/ImageType': 'base' } }),
    warnings: ['metadata.labels[tars.io/ImageType]: "base" becomes "server", for it mirrors imageType (TI-M1)'],
  },
  {
    id: 'TI-M3',
    of: TIMAGE,
    written: aTImage({ labels: { 'tars.io/ImageType': 'server', 'tars.io/Supported.cpp': 'cpp' } }),
    warnings: [
      'metadata.labels[tars.io/Supported.cpp]: "cpp" is removed, for no supportedType of a base image names it (TI-M3)',
    ],
  },
  {
    id: 'TI-M4',
    of: TIMAGE,
    written: aTImage({ releases: [anImageRelease('a'), { id: 'a', image: 'x' }, { id: 'b', image: 'y' }] }),
    warnings: ['releases[1]: {"id":"a","image":"x"} is removed, for an earlier release has its id (TI-M4)'],
  },
  {
    id: 'TR-M1',
    of: TTREE,
    written: aTTree({ businesses: [aBusiness('shop')], apps: [anApp('A', 'shop'), anApp('B', 'x')] }),
    warnings: ['apps[1].businessRef: "x" becomes "", for no business has that name (TR-M1)'],
  },
  {
    id: 'TA-M6',
    of: TACCOUNT,
    written: annotated(ACCOUNT, { [LAST_APPLIED]: PASSWORD }),
    warnings: [`metadata.annotations[${LAST_APPLIED}]: removed, for it may hold a password (TA-M6)`],
  },
  {
    id: 'TA-M6',
    name: 'of a key that tells the password',
    of: TACCOUNT,
    stored: ACCOUNT,
    written: annotated(aTAccount({ authentication: { password: 'Clear-1' } }), { 'my/Clear-1': 'is Clear-1' }),
    warnings: [
      'metadata.annotations: removed, for it may hold a password (TA-M6)',
      'spec.authentication.password: removed, for a password is stored as its hash and ends all sessions (TA-M1)',
    ],
  },
  {
    id: 'TA-M1',
    of: TACCOUNT,
    stored: aTAccount({ authentication: { bcryptPassword: hashFor('Other0rd!'), tokens: [] } }),
    written: aTAccount({ authentication: { ...hashed, password: PASSWORD, bcryptPassword: PASSWORD } }),
    warnings: [
      'spec.authentication.password: removed, for a password is stored as its hash and ends all sessions (TA-M1)',
      'spec.authentication.bcryptPassword: replaced, for a password is stored as its hash and ends all sessions (TA-M1)',
      'spec.authentication.tokens: replaced, for a password is stored as its hash and ends all sessions (TA-M1)',
    ],
  },
  {
    id: 'TA-M8',
    of: TACCOUNT,
    stored: aTAccount({ authentication: hashed }),
    written: aTAccount({ authentication: { password: PASSWORD } }),
    warnings: ['spec.authentication.password: removed, for the password is the stored one (TA-M8)'],
  },
  {
    id: 'TA-M3',
    of: TACCOUNT,
    stored: ACCOUNT,
    written: aTAccount({ authentication: { ...hashed, bcryptPassword: hashFor('Other0rd!') } }),
    warnings: ['spec.authentication.tokens: replaced, for another hash ends all sessions (TA-M3)'],
  },
  {
    id: 'TA-M4',
    of: TACCOUNT,
    written: aTAccount({ authentication: hashed }),
    warnings: ['spec.authentication.tokens: replaced, for a new account has no sessions (TA-M4)'],
  },
]

function warningsOf({ of, written, stored }: Case) {
  const { creationOf, updateOf } = reviewsOf(of)
  return answered(MUTATING, stored === undefined ? creationOf(written) : updateOf(stored, written), {
    readers: readersOf(),
  })
}

describe('what a mutation overrules is said with field, values, reason and rule', () => {
  it.each(CASES.map((each) => ({ name: '', ...each })))('$id $name', async ({ warnings, ...given }) => {
    const { response } = await warningsOf({ ...given, warnings })
    expect(response.warnings).toEqual(warnings)
    for (const warning of response.warnings ?? []) expect([...warning].length).toBeLessThanOrEqual(120)
    expect(JSON.stringify(response.warnings)).not.toContain(PASSWORD)
  })

  /** These fill in what is missing, refuse, or say themselves what goes (TI-M6). */
  const SILENT = ['TS-M10', 'TS-M11', 'TS-M12', 'TS-M14', 'TS-M16', 'TC-M5', 'TI-M2', 'TI-M5', 'TI-M6', 'TA-M2']

  it('every mutation that states why has its case, and every other one of the specification is silent', () => {
    const all = kinds.flatMap(({ mutations }) => mutations)
    const reported = CASES.flatMap(({ id }) => id.split(', '))
    expect(new Set(reported)).toEqual(new Set(all.filter(({ why }) => why !== undefined).map(({ id }) => id)))
    const silent = all.filter(({ id, why }) => why === undefined && due.includes(id))
    expect(new Set(silent.map(({ id }) => id))).toEqual(new Set(SILENT))
  })
})

describe('what came back from kubectl get is overruled in silence', () => {
  it.each(CASES.map((each) => ({ name: '', ...each })))('$id $name', async ({ written, ...given }) => {
    const { response } = await warningsOf({ ...given, written, stored: written })
    expect(response.warnings).toBeUndefined()
  })
})

describe('what an author leaves out is filled in without a word', () => {
  const bare = ({ metadata: { labels: _, ...metadata }, ...object }: Built): Built => ({ ...object, metadata })
  it.each([
    {
      name: 'TServer',
      of: TSERVER,
      written: bare(aTServer({ k8s: { readinessGate: undefined, replicas: undefined } })),
    },
    {
      name: 'TServer with the default of one replica (W-5)',
      of: TSERVER,
      written: bare(aTServer({ k8s: { replicas: 1 } })),
    },
    { name: 'TImage', of: TIMAGE, written: bare(aTImage({ releases: [{ id: 'a', image: 'x' }] })) },
    { name: 'TTemplate', of: TTEMPLATE, written: bare(aTTemplate({ name: 'child', parent: 'base' })) },
    { name: 'TDeploy', of: TDEPLOY, written: bare(DEPLOY) },
    { name: 'TConfig', of: TCONFIG, written: bare({ ...aTConfig(), version: undefined, updateTime: '', podSeq: '' }) },
  ])('$name', async ({ of, written }) => {
    expect((await warningsOf({ id: '', of, written, warnings: [] })).response.warnings).toBeUndefined()
  })
})
