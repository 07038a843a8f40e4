import type { Probe } from '../../kit/admission.ts'
import { LABELS } from '../names.ts'
import { TTEMPLATE } from './schema.ts'

export function probeNamed(name: string): Probe {
  const head = { apiVersion: `${TTEMPLATE.group}/${TTEMPLATE.version}`, kind: TTEMPLATE.kind }
  const metadata = { name, labels: { [LABELS.parent]: 'probe' } }
  return {
    completed: {
      by: 'TT-M2',
      object: { ...head, metadata, spec: { parent: name, content: '' } },
      isDone: ({ metadata: { labels } }) => labels?.[LABELS.parent] === undefined,
    },
    refused: { by: 'TT-V1', object: { ...head, metadata, spec: { parent: '', content: '' } } },
  }
}
