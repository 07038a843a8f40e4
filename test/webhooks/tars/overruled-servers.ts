import { TSERVER } from '../../../webhooks/tars/tserver/schema.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { aRelease, aTServer } from '../../support/builders/servers.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { labelled, type Overruled } from './overruled.ts'

const SERVER = aTServer({ k8s: { replicas: 0 } })
const NORMAL = aTServer({ normal: [], k8s: { replicas: 0 } })
const bounds = { 'tars.io/MinReplicas': '2', 'tars.io/MaxReplicas': '4' }
const released = (replicas: number) => aTServer({ release: aRelease(), k8s: { replicas }, annotations: bounds })

/** Of servers and templates. */
export const SERVERS: readonly Overruled[] = [
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
]
