import type { Choice } from '../list/reading.ts'

/** The hash of a template with patches applied, or why they cannot be. */
export type TemplateResult = { readonly hash: string } | { readonly problem: string }

/** Each result is computed once, for all Nodes that expect it. */
export function templates(): (choice: Choice) => TemplateResult {
  const known = new Map<string, TemplateResult>()
  return (choice) => {
    const found = known.get(choice.component) ?? patched(choice)
    known.set(choice.component, found)
    return found
  }
}

/** PATCH-ROLL-4: what cannot be applied touches nothing. */
function patched({ templateHash }: Choice): TemplateResult {
  try {
    return { hash: templateHash() }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
