import { expect } from 'vitest'
import { LAST_APPLIED } from '../../../src/kube/metadata.ts'
import { TACCOUNT } from '../../../webhooks/tars/taccount/schema.ts'
import { TCONFIG } from '../../../webhooks/tars/tconfig/schema.ts'
import { TDEPLOY } from '../../../webhooks/tars/tdeploy/schema.ts'
import { TIMAGE } from '../../../webhooks/tars/timage/schema.ts'
import { TTREE } from '../../../webhooks/tars/ttree/schema.ts'
import { A_TOKEN, aTAccount, hashFor } from '../../support/builders/accounts.ts'
import { aTConfig } from '../../support/builders/configs.ts'
import { APPROVED, aTDeploy } from '../../support/builders/deploys.ts'
import { aRelease as anImageRelease, aTImage } from '../../support/builders/images.ts'
import { aBusiness, anApp, aTTree } from '../../support/builders/tars-trees.ts'
import { annotated, labelled, type Overruled } from './overruled.ts'

const DEPLOY = aTDeploy()
export const PASSWORD = 'Passw0rd!'
const ACCOUNT = aTAccount()
const hashed = { bcryptPassword: hashFor(PASSWORD), tokens: [A_TOKEN] }

/** Of what a server is configured, deployed, built and administrated with. */
export const RECORDS: readonly Overruled[] = [
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
