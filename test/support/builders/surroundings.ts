import { bytesOf } from '../../../src/sync/template/bytes.ts'
import type { Surroundings } from '../../../src/sync/template/surroundings.ts'
import { parse, type RenderOptions, render } from '../../../src/sync/template/template.ts'

export interface TemplateCase {
  readonly store?: Readonly<Record<string, string>>
  readonly around?: Partial<Surroundings>
  readonly options?: RenderOptions
}

export function aSurrounding({ store = {}, around = {} }: TemplateCase = {}): Surroundings {
  const values = new Map(Object.entries(store).map(([key, value]) => [bytesOf(key), bytesOf(value)]))
  return { values, env: {}, now: new Date(0), timeZone: 'UTC', fileExists: () => false, ...around }
}

/** What the template prints, as text. */
export function printed(template: string, { options, ...around }: TemplateCase = {}): string {
  return Buffer.from(render(parse('a.tmpl', Buffer.from(template)), aSurrounding(around), options)).toString('utf8')
}

/** What it prints, or the message of its error. */
export function printedOrSaid(template: string, around: TemplateCase = {}): string {
  try {
    return printed(template, around)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
