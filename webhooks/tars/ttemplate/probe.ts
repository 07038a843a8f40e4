import { LABELS } from '../names.ts'
import { TTEMPLATE, type TTemplate } from './schema.ts'

/** What shows that we answer, of any namespace and whatever it holds: neither answer needs a look-up. */
export function probeNamed(name: string) {
  const head = { apiVersion: `${TTEMPLATE.group}/${TTEMPLATE.version}`, kind: TTEMPLATE.kind }
  const metadata = { name, labels: { [LABELS.parent]: 'probe' } }
  return {
    resource: TTEMPLATE,
    completed: {
      by: 'TT-M2',
      object: { ...head, metadata, spec: { parent: name, content: '' } },
      isDone: ({ metadata: { labels } }: Pick<TTemplate, 'metadata'>) => labels?.[LABELS.parent] === undefined,
    },
    refused: { by: 'TT-V1', object: { ...head, metadata, spec: { parent: '', content: '' } } },
  } as const
}
