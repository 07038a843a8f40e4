import { isLabelValue, LABEL_VALUE_LENGTH } from '../../../src/kube/labels.ts'
import { isTerminating } from '../../../src/kube/metadata.ts'
import type { Create, Delete, Findings, Rule, Update } from '../../kit/admission.ts'
import type { ClusterReader, KubeObject } from '../../kit/schema.ts'
import { oneByOne } from '../in-use.ts'
import { LABELS } from '../names.ts'
import { TSERVER } from '../tserver/schema.ts'
import { TTEMPLATE, type TTemplate } from './schema.ts'
import { isRoot } from './shape.ts'

type TemplateWrite = Create<TTemplate> | Update<TTemplate>

const PARENT = 'spec.parent'
const LONGEST_CHAIN = 64
/** Naming a child takes a read of the whole object, which may be megabytes. */
const CHILDREN_NAMED = 2
const hangs = ({ next }: TemplateWrite) => next.spec.parent !== '' && !isRoot(next)
/** Only such a name fits into the label (TT-V6), and the API server refuses any other in a selector. */
const carriable = ({ prev }: Delete<KubeObject>) => isLabelValue(prev.metadata.name)

export const rules: readonly Rule<TTemplate>[] = [
  {
    id: 'TT-V1',
    field: 'spec.parent',
    on: 'write',
    check: ({ next }) => (next.spec.parent === '' ? [{ path: PARENT, value: '' }] : []),
    message: () => 'required',
    remedy: 'use the own name for a root template',
  },
  {
    id: 'TT-V2',
    field: 'spec.parent',
    on: 'write',
    refers: true,
    when: hangs,
    check: missingParent,
    message: ({ value }) => `TTemplate ${value} does not exist`,
    remedy: 'create it first, or name another',
  },
  {
    id: 'TT-V3',
    field: 'metadata.name',
    on: 'deleteByMetadata',
    reason: 'Forbidden',
    exempt: ['CTRL', 'KUBE'],
    when: carriable,
    check: children,
    message: ({ by = [] }) => `is the parent of TTemplate ${by.join(', ')}`,
    remedy: 'delete them or give them another parent, then repeat',
  },
  {
    id: 'TT-V4',
    field: 'metadata.name',
    on: 'deleteByMetadata',
    reason: 'Forbidden',
    exempt: ['CTRL', 'KUBE'],
    when: carriable,
    check: users,
    message: ({ by = [] }) => `is used by TServer ${by.join()}`,
    remedy: ({ value }) =>
      `delete all that kubectl get tserver -l ${LABELS.template}=${value} lists, or give them another template, then repeat`,
  },
  {
    id: 'TT-V5',
    field: 'spec.parent',
    on: 'write',
    when: hangs,
    check: endlessChain,
    message: ({ by = [] }) =>
      by.at(0) === by.at(-1)
        ? `would create a cycle ${by.join(' → ')}`
        : `hangs on a chain of more than ${LONGEST_CHAIN} templates, beginning ${by.slice(0, 5).join(' → ')}`,
    examples: [
      { path: PARENT, by: ['<a>', '<b>', '<a>'] },
      { path: PARENT, by: ['<a>', '<b>', '<c>'] },
    ],
    remedy: 'name a parent that leads to a root template',
  },
  {
    id: 'TT-V6',
    field: 'spec.parent',
    on: 'write',
    when: hangs,
    check: ({ next }) => (isLabelValue(next.spec.parent) ? [] : [{ path: PARENT, value: next.spec.parent }]),
    message: ({ value }) =>
      `${value} does not fit into label ${LABELS.parent}, which takes ${LABEL_VALUE_LENGTH} characters`,
    remedy: 'give the parent a shorter name',
  },
]

async function missingParent({ next, namespace }: TemplateWrite, cluster: ClusterReader): Promise<Findings> {
  const name = next.spec.parent
  const parent = await cluster.get(TTEMPLATE, { namespace, name })
  return parent === undefined || isTerminating(parent) ? [{ path: PARENT, value: `${namespace}/${name}` }] : []
}

async function children({ prev, namespace }: Delete<KubeObject>, cluster: ClusterReader): Promise<Findings> {
  const { name } = prev.metadata
  const where = { namespace, labels: { [LABELS.parent]: name } }
  const by: string[] = []
  for await (const { metadata, spec } of oneByOne(TTEMPLATE, where, cluster, (each) => each.metadata.name !== name)) {
    if (spec?.parent === name) by.push(metadata.name)
    if (by.length === CHILDREN_NAMED) break
  }
  return by.length === 0 ? [] : [{ path: 'metadata.name', by }]
}

async function users({ prev, namespace }: Delete<KubeObject>, cluster: ClusterReader): Promise<Findings> {
  const { name } = prev.metadata
  const where = { namespace, labels: { [LABELS.template]: name } }
  for await (const { metadata, spec } of oneByOne(TSERVER, where, cluster)) {
    if (spec?.tars?.template === name) return [{ path: 'metadata.name', value: name, by: [metadata.name] }]
  }
  return []
}

/** Follows the parents from the new one on. A dangling parent ends the chain; TT-V2 refuses it. */
async function endlessChain({ next, namespace }: TemplateWrite, cluster: ClusterReader): Promise<Findings> {
  const chain = [next.metadata.name]
  for (let name = next.spec.parent; chain.length <= LONGEST_CHAIN; ) {
    chain.push(name)
    if (name === next.metadata.name) return [{ path: PARENT, value: next.spec.parent, by: chain }]
    const parent = await cluster.get(TTEMPLATE, { namespace, name })
    if (!parent?.spec?.parent || isRoot(parent)) return []
    name = parent.spec.parent
  }
  return [{ path: PARENT, value: next.spec.parent, by: chain }]
}
