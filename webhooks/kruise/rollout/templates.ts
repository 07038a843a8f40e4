import type { Choice } from '../list/reading.ts'
import { type Base, judged } from '../template/flaws.ts'

/** The hash of a template with patches applied, or why they cannot be. */
export type TemplateResult = { readonly hash: string } | { readonly problem: string }

/** Each result is computed once, for all Nodes that expect it. */
export function templates(base: Base): (choice: Choice) => TemplateResult {
  const known = new Map<string, TemplateResult>()
  return (choice) => {
    const found = known.get(choice.component) ?? patched(base, choice)
    known.set(choice.component, found)
    return found
  }
}

/** PATCH-ROLL-4: what cannot be applied, or makes no valid pod, touches nothing (PATCH-V-17, PATCH-V-18). */
function patched(base: Base, { entries, templateHash }: Choice): TemplateResult {
  const [flaw] = judged(base, entries).flaws.filter(({ id }) => id !== 'PATCH-V-14')
  if (flaw === undefined) return { hash: templateHash() }
  const { id, index, path, text } = flaw
  return { problem: `patch ${index}${path}: ${text} (${id})` }
}
