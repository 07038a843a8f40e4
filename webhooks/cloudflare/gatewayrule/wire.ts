import { isTree, type Tree } from '../../kit/schema.ts'

/** Where the API calls a setting otherwise than its words in camel case. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['l4Override', 'l4override'],
  ['disablePrinting', 'dp'],
  ['disableCopyPaste', 'dcp'],
  ['disableDownload', 'dd'],
  ['disableUpload', 'du'],
  ['disableKeyboard', 'dk'],
])
/** The keys below it are those of the author: names of headers. */
const AUTHORS: readonly string[] = ['add_headers']
/** Deeper than any setting, so that an object of an author ends. */
const MOST_LEVELS = 8

/** Settings as the API names them: `blockPageEnabled` is `block_page_enabled`. What is so already stays. */
export function asWritten(settings: Tree, level = 0): Tree {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => {
      const name = NAMES.get(key) ?? key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      return [name, AUTHORS.includes(name) ? value : valueWritten(value, level + 1)]
    }),
  )
}

function valueWritten(value: unknown, level: number): unknown {
  if (level > MOST_LEVELS) return value
  if (Array.isArray(value)) return value.map((each: unknown) => valueWritten(each, level + 1))
  return isTree(value) ? asWritten(value, level) : value
}
