import { type Controller, defineController, owned } from '../../kit/controller.ts'
import { type DaemonSet, KRUISE_DAEMONSET } from '../daemonsets.ts'
import { LABELS } from '../names.ts'
import type { Paces } from './paces.ts'
import { conclude, plan } from './plan.ts'
import { CONTROLLER_REVISION, CRD, ENDPOINT_SLICE, LEASE, MUTATING_CONFIGURATION, NODE, POD } from './resources.ts'
import { type DaemonSetSeen, observe } from './seen.ts'
import { wakenByNode } from './wakes.ts'

const carrying = [LABELS.revision]

/** Controls the DaemonSets of apps.kruise.io where OpenKruise does not run (PATCH-CTL-1). It knows no others (PATCH-CTL-3). */
export const daemonSetController: Controller = defineController<DaemonSet, DaemonSetSeen, never, Paces>({
  name: 'daemonset',
  of: KRUISE_DAEMONSET,
  watches: [
    owned(POD, KRUISE_DAEMONSET, { carrying, ownerKind: KRUISE_DAEMONSET.kind }),
    owned(CONTROLLER_REVISION, KRUISE_DAEMONSET, { carrying }),
    {
      resource: NODE,
      keeps: { fields: ['spec.taints'] },
      wakes: (_, among) => among.all(''),
      wakesOnChange: wakenByNode,
    },
  ],
  reads: [
    { resource: LEASE, asks: ['list'] },
    { resource: MUTATING_CONFIGURATION, asks: ['get'] },
    { resource: ENDPOINT_SLICE, asks: ['list'] },
    { resource: CRD, asks: ['get'] },
  ],
  writes: [
    { resource: POD, verbs: ['create', 'merge', 'remove'] },
    { resource: CONTROLLER_REVISION, verbs: ['create', 'merge', 'remove'] },
    { resource: KRUISE_DAEMONSET, verbs: ['own'] },
    { resource: KRUISE_DAEMONSET, subresource: 'status', verbs: ['merge'] },
  ],
  observe,
  plan,
  conclude,
})
