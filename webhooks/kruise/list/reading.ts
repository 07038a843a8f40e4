import type { Labels } from '../../../src/kube/labels.ts'
import { valueAt } from '../../kit/admission.ts'
import { isTree, type KubeObject, type Tree } from '../../kit/schema.ts'
import { applicable } from './applicable.ts'
import type { Entry } from './entry.ts'
import { componentOf, templateHash } from './hash.ts'
import { type Patches, patchesOf } from './read.ts'

/** What applies to the Nodes with certain labels. */
export interface Choice {
  readonly entries: readonly Entry[]
  readonly component: string
  /** Throws MergeError. */
  readonly templateHash: () => string
}

/** What a DaemonSet says, read once for each version of it (PATCH-POD-34). */
export interface PatchReading extends Patches {
  readonly template: Tree
  readonly choiceFor: (nodeLabels: Labels) => Choice
}

/** A cache answers the same object until it changes, and the reading is given up with it. */
const readings = new WeakMap<KubeObject, PatchReading>()
/** For each reading. A label with a value for each Node, as its name, brings as many sets. */
const MOST_SETS = 1_000

export function readingOf(daemonSet: KubeObject): PatchReading {
  const known = readings.get(daemonSet)
  if (known !== undefined) return known
  const reading = read(daemonSet)
  readings.set(daemonSet, reading)
  return reading
}

function read(daemonSet: KubeObject): PatchReading {
  const patches = patchesOf(daemonSet)
  const stored = valueAt(daemonSet, 'spec.template')
  const template = isTree(stored) ? stored : {}
  const keys = [...new Set(patches.entries.flatMap(keysOf))]
  const choices = new Map<string, Choice>()
  const choiceFor = (labels: Labels): Choice => {
    const set = setOf(keys, labels)
    const known = choices.get(set)
    if (known !== undefined) return known
    if (choices.size >= MOST_SETS) choices.clear()
    const choice = choose(patches.entries, labels, template)
    choices.set(set, choice)
    return choice
  }
  return { ...patches, template, choiceFor }
}

/** Only the labels that a selector names decide. */
export function keysOf({ selector: { matchLabels = {}, matchExpressions = [] } = {} }: Entry): readonly string[] {
  return [...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)]
}

function setOf(keys: readonly string[], labels: Labels): string {
  return JSON.stringify(keys.map((key) => (labels != null && Object.hasOwn(labels, key) ? labels[key] : null)))
}

function choose(all: readonly Entry[], labels: Labels, template: Tree): Choice {
  const entries = applicable(all, labels)
  let hash: string | undefined
  return {
    entries,
    component: componentOf(entries),
    templateHash() {
      hash ??= templateHash(template, entries)
      return hash
    },
  }
}
