import { isTree, type Tree } from '../../kit/schema.ts'
import { specOf, valueIn } from '../list/touched.ts'
import { podProblems } from './pod.ts'
import { containersOf, type IsTouched, keyIn } from './problem.ts'

/** What is known of a template, whatever is merged into it. */
export interface TemplateBefore {
  /** Its values and all values in them. */
  readonly size: number
  /** Whether a part of a result is not one of its own. */
  readonly isTouched: IsTouched
  /** What is wrong with it by itself. */
  readonly problems: () => ReadonlySet<string>
  readonly containers: ReadonlySet<unknown>
}

const known = new WeakMap<Tree, TemplateBefore>()

/** Looked over once, since many patches are tried on one template. */
export function before(template: Tree): TemplateBefore {
  const found = known.get(template) ?? lookedOver(template)
  known.set(template, found)
  return found
}

function lookedOver(template: Tree): TemplateBefore {
  const { parts, size } = partsOf(template)
  parts.add(valueIn(specOf(template), 'volumes')) // none before and after is no change
  let problems: ReadonlySet<string> | undefined
  return {
    size,
    isTouched: (part) => !parts.has(part),
    problems() {
      problems ??= new Set(podProblems(template).map(keyIn(template)))
      return problems
    },
    containers: new Set(containersOf(template).map(({ value }) => value.name)),
  }
}

/** Its objects and lists. A set goes on with what is added to it meanwhile. */
function partsOf(template: Tree): { readonly parts: Set<unknown>; readonly size: number } {
  const parts = new Set<unknown>([template])
  let size = 1
  for (const part of parts) {
    const children: readonly unknown[] = Array.isArray(part) ? part : isTree(part) ? Object.values(part) : []
    for (const child of children) if (typeof child === 'object') parts.add(child)
    size += children.length
  }
  return { parts, size }
}
