import { defineKind, type Kind } from '../../kit/admission.ts'
import type { Settings } from '../../kit/schema.ts'
import { EVENT } from '../../kit/telling.ts'
import { DAEMONSETS } from '../daemonsets.ts'
import { mutatePods } from '../doors.ts'
import { NODE, POD } from '../kubernetes.ts'
import { patching } from './mutate.ts'

/** The pods of DaemonSets, on their way to be stored (spec 6). */
export const podOfDaemonSet = (settings: Settings): Kind =>
  defineKind({
    resource: POD,
    doors: [mutatePods(settings)],
    reads: [
      ...DAEMONSETS.map((resource) => ({ resource, keeps: { fields: FIELDS }, asks: ['get'] as const })),
      { resource: NODE, keeps: { fields: ['metadata.labels'] }, asks: ['get'] },
    ],
    writes: [{ resource: EVENT, verbs: ['create'] }],
    mutate: [patching],
  })
const FIELDS = ['metadata.annotations', 'spec.selector', 'spec.template', 'spec.patches']
