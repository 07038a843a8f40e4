import { posix } from 'node:path'
import { unreadable } from '../host/error-code.ts'
import type { Files } from '../host/files.ts'
import type { Host } from '../host/host.ts'
import type { TemplateResource } from '../resources/resource.ts'
import { parse, render, type Template } from '../template/template.ts'
import { TemplateError } from '../template/template-error.ts'
import { type Failed, failed } from './outcome.ts'

/** Parsed templates, until their files change (SY-PIPE-4). */
export class ParsedTemplates {
  readonly #parsed = new Map<string, { readonly stamp: string; readonly template: Template }>()
  readonly #files: Files

  constructor(files: Files) {
    this.#files = files
  }

  forget(): void {
    this.#parsed.clear()
  }

  async of(src: string): Promise<Template | Failed> {
    const look = await this.#files.look(src)
    if (look === undefined) return failed('render', `missing template: ${src}; put it there, or mend src`)
    if (look.kind !== 'file') return failed('render', `${src} is no file; src names a template`)
    if (look.size > MOST_SOURCE) return failed('render', `${src} is larger than ${MOST_SOURCE} bytes`)
    const stamp = `${look.mtimeMs} ${look.size}`
    const known = this.#parsed.get(src)
    if (known?.stamp === stamp) return known.template
    const template = parse(posix.basename(src), (await this.#files.read(src)) ?? new Uint8Array())
    this.#parsed.set(src, { stamp, template })
    return template
  }
}
/** What is larger is not even read. */
const MOST_SOURCE = 1_048_576

interface Rendering {
  readonly values: ReadonlyMap<string, string>
  readonly templates: ParsedTemplates
  readonly host: Host
}

/** The content of the target, or why there is none. */
export async function rendered(
  { src, strict }: TemplateResource,
  { values, templates, host }: Rendering,
): Promise<Uint8Array | Failed> {
  try {
    const template = await templates.of(src)
    if ('did' in template) return template
    const { env, clock, fileExists, timeZone } = host
    return render(template, { values, env: env(), now: clock.now(), timeZone, fileExists }, { strict })
  } catch (error) {
    if (error instanceof TemplateError) return failed('render', `${src}: ${error.loggable}`)
    return failed('render', `${src} ${unreadable(error)}`, 'time')
  }
}
