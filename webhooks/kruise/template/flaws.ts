import { selects } from '../../../src/kube/selectors.ts'
import { isDirective, withoutDirectives } from '../../../src/kube/strategic-merge/directives.ts'
import { strategicMerge } from '../../../src/kube/strategic-merge/merge.ts'
import { MergeError } from '../../../src/kube/strategic-merge/merge-error.ts'
import { isTree, type Tree } from '../../kit/schema.ts'
import { consistent } from '../list/patched.ts'
import { selectorFaults, selectorFrom } from '../list/selector.ts'
import { type Merging, specOf, treeIn, valueIn } from '../list/touched.ts'
import { before, type TemplateBefore } from './before.ts'
import { NO_IMAGE } from './containers.ts'
import { placeInPatch } from './place.ts'
import { podProblems } from './pod.ts'
import { type IsTouched, keyIn, type TemplatePath, type TemplateProblem } from './problem.ts'

/** The patches that one Node gets, in the order of their application. */
export type PatchSet = readonly Merging[]
/** What patches are merged into, and what selects its pods. */
export interface Base {
  readonly template: Tree
  readonly selector: Tree
}

/** What is wrong with the result of some patches, and the place in the patch that brought it. */
export interface Flaw {
  readonly id: 'PATCH-V-11' | 'PATCH-V-14' | 'PATCH-V-17' | 'PATCH-V-18' | 'PATCH-V-21'
  readonly index: number
  /** Within the patch: `.spec.containers[0]`. */
  readonly path: string
  readonly text: string
}

export interface PatchResult {
  /** Absent if they cannot be merged. */
  readonly result?: Tree
  readonly flaws: readonly Flaw[]
}

/** Merges the patches and judges the result. What is wrong with the bare template is no flaw of a patch. */
export function judged({ template, selector }: Base, patches: PatchSet): PatchResult {
  const merged = mergedInTurn(template, patches)
  if ('id' in merged) return { flaws: [merged] }
  const result = consistent(template, withoutDirectives(merged.raw), patches)
  const place = ({ at, text }: TemplateProblem, within = result) => ({ ...placeAmong(patches, at, within), text })
  const own = before(template)
  const isNew = isNewContainer(own, result)
  return {
    result,
    flaws: [
      ...directivesIn(merged.raw, own.isTouched).map(
        (problem): Flaw => ({ id: 'PATCH-V-14', ...place(problem, merged.raw) }),
      ),
      ...unselected(template, result, selector).map((problem): Flaw => ({ id: 'PATCH-V-11', ...place(problem) })),
      ...addedProblems(own, result).map((problem): Flaw => {
        const name = problem.text === NO_IMAGE ? isNew(problem) : undefined
        if (name === undefined) return { id: 'PATCH-V-18', ...place(problem) }
        const text = `container ${JSON.stringify(name)} is not in the template; a new container needs an image`
        return { id: 'PATCH-V-21', ...place({ at: problem.at.slice(0, -1), text }) }
      }),
    ],
  }
}

function mergedInTurn(template: Tree, patches: PatchSet): { readonly raw: Tree } | Flaw {
  let raw = template
  for (const { index, patch } of patches) {
    try {
      raw = strategicMerge(raw, patch)
    } catch (cause) {
      if (!(cause instanceof MergeError)) throw cause
      return { id: 'PATCH-V-17', index, path: '', text: `cannot be applied: ${cause.message}` }
    }
  }
  return { raw }
}

/** Of the patches that set something there the last one, else the last of all. */
export function placeAmong(patches: PatchSet, at: TemplatePath, result: Tree): Pick<Flaw, 'index' | 'path'> {
  let [best, deepest] = [{ index: patches.at(-1)?.index ?? 0, path: '' }, -1]
  for (const { index, patch } of patches) {
    const { path, depth } = placeInPatch(at, result, patch)
    if (depth >= deepest) [best, deepest] = [{ index, path }, depth]
  }
  return best
}

/** Of a result that has many the first ones tell enough. */
const MOST_ADDED = 100

function addedProblems({ isTouched, problems }: TemplateBefore, result: Tree): readonly TemplateProblem[] {
  const key = keyIn(result)
  const found = podProblems(result, isTouched)
  return found.filter((problem) => !problems().has(key(problem))).slice(0, MOST_ADDED)
}

/** The name of the container that a problem is about, if the template has none of that name. */
function isNewContainer({ containers }: TemplateBefore, result: Tree) {
  return ({ at: [, list, index] }: TemplateProblem): unknown => {
    const all = valueIn(specOf(result), `${list}`)
    const found: unknown = Array.isArray(all) ? all[Number(index)] : undefined
    return isTree(found) && !containers.has(found.name) ? found.name : undefined
  }
}

/** The directives that a merge leaves behind as data (PATCH-V-14). */
function directivesIn(value: unknown, isTouched: IsTouched, at: TemplatePath = []): readonly TemplateProblem[] {
  if (!isTouched(value)) return []
  if (Array.isArray(value)) return value.flatMap((each, i) => directivesIn(each, isTouched, [...at, i]))
  if (!isTree(value)) return []
  return Object.entries(value).flatMap(([key, child]) =>
    isDirective(key)
      ? [{ at: [...at, key], text: `directive ${key} has no effect here: nothing there to apply it to` }]
      : directivesIn(child, isTouched, [...at, key]),
  )
}

function unselected(template: Tree, result: Tree, selector: Tree): readonly TemplateProblem[] {
  const isSelected = (labels: unknown) =>
    selectorFaults(selector).length === 0 && selects(selectorFrom(selector), wordsIn(labels))
  const labelsOf = (of: Tree) => treeIn(treeIn(of, 'metadata'), 'labels')
  if (!isSelected(labelsOf(template)) || isSelected(labelsOf(result))) return []
  return [{ at: ['metadata', 'labels'], text: 'patched labels no longer match spec.selector' }]
}
const wordsIn = (labels: unknown) =>
  Object.fromEntries(
    Object.entries(isTree(labels) ? labels : {}).flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value]] : [],
    ),
  )
