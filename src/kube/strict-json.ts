export type StrictJson = { readonly value: unknown } | { readonly problem: string }

/** JSON.parse takes the last of several values of one key, and the author does not learn which one counts. */
export function parsedStrictly(json: string): StrictJson {
  try {
    const value: unknown = JSON.parse(json)
    const key = repeatedKey(json)
    return key === undefined ? { value } : { problem: `duplicate key ${JSON.stringify(key)}` }
  } catch (cause) {
    return { problem: cause instanceof Error ? cause.message : String(cause) }
  }
}

/** Expects valid JSON. A text before a colon is a key; it may be written with escapes. */
function repeatedKey(json: string): string | undefined {
  const open: (Set<string> | undefined)[] = []
  let text = ''
  for (const [token] of json.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (token !== ':') text = token
    else {
      const [keys, key] = [open.at(-1), String(JSON.parse(text))]
      if (keys?.has(key)) return key
      keys?.add(key)
    }
  }
  return undefined
}
/** Each character belongs to one part alone, so the search is linear. */
const TOKEN = /[{}[\]:]|"[^"\\]*(?:\\.[^"\\]*)*"/g
