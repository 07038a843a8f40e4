import type { CommandAnswer, CommandQuestion, FamilyCommand } from '../../kit/controller.ts'
import {
  type ClusterReader,
  type Found,
  type KubeObject,
  list,
  type Resource,
  setting,
  text,
} from '../../kit/schema.ts'
import { DAEMONSETS, type DaemonSet } from '../daemonsets.ts'
import { readingOf } from '../list/reading.ts'
import { NODE, podsOf, withWholes } from '../rollout/reconcile.ts'
import { onNodes } from '../rollout/seen.ts'
import { explained } from './explain.ts'
import { type Explanation, isBroken } from './explanation.ts'
import { asHtml } from './html.ts'
import { asText } from './text.ts'

const ONE_NODE = setting('node', text({ doc: 'explain this Node alone', default: '' }))
const LABELS_OF_NODE = setting(
  'labels',
  list(text({ doc: 'label of a Node like disk=large', pattern: '^[^=]{1,317}=[^=]{0,63}$' }), {
    doc: 'explain a Node with these labels, as if there were one',
    default: [],
  }),
)

/** PATCH-DBG-1. Who may read the DaemonSet sees what its patches and template hold. */
export const explain: FamilyCommand = {
  name: 'daemonset-patches explain',
  doc: 'says which node patches apply where, and what they make of the template, of a cluster or of files',
  words: '[NAMESPACE/]NAME',
  flags: [ONE_NODE, LABELS_OF_NODE],
  namespace: {
    usual: 'default',
    says: 'of a DaemonSet that is named without one, and of objects of files that name none',
  },
  ofFiles: true,
  async run(asked) {
    const { words, settings } = asked
    const [node, labels] = [settings.get(ONE_NODE), settings.get(LABELS_OF_NODE)]
    if (words.length > 1) return misused('name one DaemonSet, or none: then all that have patches are explained')
    if (node !== '' && labels.length > 0) return misused('--node and --labels are two Nodes: give one of them')
    const found = await daemonSetsOf(asked)
    if (found.length === 0)
      return missing(words.length === 0 ? 'no DaemonSet has node patches' : `no DaemonSet ${words}`)
    const nodes = await nodesOf(asked)
    if (node !== '' && nodes.length === 0) return missing(`no Node ${node}`)
    const explanations = await Promise.all(found.map((each) => explanationOf(each, nodes, asked.live)))
    const code = explanations.some(isBroken) ? 1 : 0
    return { code, text: asText(explanations), data: { daemonSets: explanations }, page: asHtml(explanations) }
  },
}

const misused = (text: string): CommandAnswer => ({ code: 2, text, data: {} })
const missing = (problem: string): CommandAnswer => ({ code: 1, text: `${problem}\n`, data: { problem } })

interface NamedDaemonSet {
  readonly of: Resource<DaemonSet>
  readonly daemonSet: Found<DaemonSet>
}

/** One that is served in two versions is explained once. */
async function daemonSetsOf({ live, words: [word], namespace }: CommandQuestion): Promise<readonly NamedDaemonSet[]> {
  const [name = '', within = namespace] = word?.split('/').reverse() ?? []
  const found = await Promise.all(
    DAEMONSETS.map(async (of) => {
      const some =
        word === undefined ? await live.list(of, { namespace: '' }) : await one(live, of, { namespace: within, name })
      return some.filter((each) => word !== undefined || hasPatches(each)).map((daemonSet) => ({ of, daemonSet }))
    }),
  )
  return [
    ...new Map(
      found
        .flat()
        .toReversed()
        .map((each) => [keyOf(each), each]),
    ).values(),
  ].toReversed()
}

async function one(
  live: ClusterReader,
  of: Resource<DaemonSet>,
  ref: { readonly namespace: string; readonly name: string },
) {
  const found = await live.get(of, ref)
  return found === undefined ? [] : [found]
}

function hasPatches(daemonSet: KubeObject): boolean {
  const { entries, unreadable } = readingOf(daemonSet)
  return entries.length > 0 || unreadable !== undefined
}

const keyOf = ({ of: { group }, daemonSet: { metadata } }: NamedDaemonSet) =>
  JSON.stringify([group, metadata.namespace, metadata.name])

async function nodesOf({ live, settings }: CommandQuestion): Promise<readonly KubeObject[]> {
  const [name, words] = [settings.get(ONE_NODE), settings.get(LABELS_OF_NODE)]
  if (words.length > 0) return [{ metadata: { name: words.join(), labels: labelsIn(words) } }]
  const nodes = await live.list(NODE, { namespace: '', metadataOnly: true })
  return nodes.filter(({ metadata }) => name === '' || metadata.name === name)
}

const labelsIn = (words: readonly string[]) => Object.fromEntries(words.map((word) => word.split('=', 2)))

async function explanationOf(
  { of, daemonSet }: NamedDaemonSet,
  nodes: readonly KubeObject[],
  live: ClusterReader,
): Promise<Explanation> {
  const labels = new Map(nodes.map(({ metadata }) => [metadata.name, metadata.labels]))
  const patches = readingOf(daemonSet)
  const own = onNodes({ daemonSet, patches, pods: await podsOf(daemonSet, live) }, labels)
  const pods = await withWholes(own, live)
  return explained({ of, daemonSet, nodes, pods, at: new Date() })
}
