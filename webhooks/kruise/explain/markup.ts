import { plain } from './plain.ts'

/** A part of a page: its texts are escaped. Only `html` makes one. */
export interface Markup {
  readonly markup: string
}
type HtmlValue = string | number | Markup | readonly HtmlValue[]

/** Every value is escaped, unless it is markup itself. */
export function html(words: TemplateStringsArray, ...parts: readonly HtmlValue[]): Markup {
  return { markup: words.map((word, at) => word + written(parts[at] ?? '')).join('') }
}

function written(part: HtmlValue): string {
  if (typeof part === 'number') return String(part)
  if (typeof part === 'string') return plain(part, 2_000).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return 'markup' in part ? part.markup : part.map(written).join('')
}
