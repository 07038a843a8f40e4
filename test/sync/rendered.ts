import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'
import { bytesOf } from '../../src/sync/template/bytes.ts'
import { parse, render } from '../../src/sync/template/template.ts'
import { processesIn } from '../cluster/processes.ts'
import { folderOf } from '../support/folders.ts'

/** What becomes of a template: the bytes as Latin-1, or what is wrong. */
export type Outcome = { readonly output: string } | { readonly error: string }

type Values = ReadonlyMap<string, string>

export const ENV = { SET: 'set é', EMPTY: '' }

export function renderedByUs(templates: readonly string[], store: Values): readonly Outcome[] {
  const values = new Map([...store].map(([key, value]) => [bytesOf(key), bytesOf(value)]))
  const surroundings = { values, env: ENV, now: new Date(0), timeZone: 'UTC', fileExists: () => false }
  return templates.map((text, i) => {
    try {
      const output = render(parse(nameOf(i), Buffer.from(text)), surroundings)
      return { output: Buffer.from(output).toString('latin1') }
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  })
}

/** By the real confd, all with one start of it. */
export async function renderedByConfd(templates: readonly string[], store: Values): Promise<readonly Outcome[]> {
  const [targets, logs, place] = [folderOf(), folderOf(), folderOf()]
  const resources = templates.map((_, i) => [`conf.d/${i}.toml`, resourceOf(i, targets)] as const)
  const sources = templates.map((text, i) => [`templates/${nameOf(i)}`, text] as const)
  const confdir = folderOf({ ...Object.fromEntries([...resources, ...sources]), 'store.yaml': yamlOf(store) })
  const processes = processesIn(place, logs)
  const args = ['-onetime', '-backend=file', `-file=${join(confdir, 'store.yaml')}`, `-confdir=${confdir}`]
  await processes.run({ name: 'confd', command: inject('components').confd, args, env: { ...ENV, TZ: 'UTC' } })
  await processes.close()

  const errors = errorsIn(readFileSync(join(logs, 'confd.log')))
  return templates.map((_, i) => {
    const target = join(targets, `${i}.conf`)
    if (existsSync(target)) return { output: readFileSync(target, 'latin1') }
    return { error: errors.get(nameOf(i)) ?? 'nothing was said' }
  })
}

const nameOf = (i: number) => `${i}.tmpl`

function resourceOf(i: number, targets: string): string {
  return `[template]\nsrc = "${nameOf(i)}"\ndest = "${targets}/${i}.conf"\nkeys = ["/"]\n`
}

/** YAML of printable ASCII alone: its escapes reach every character. */
function yamlOf(store: Values): string {
  const quoted = (text: string) => `"${text.replace(/[^ !#-[\]-~]/gu, escape_)}"`
  return `{${[...store].map(([key, value]) => `${quoted(key)}: ${quoted(value)}`).join(',\n')}}\n`
}

const escape_ = (char: string) => `\\U${(char.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`

const RECORD = /^\S+ \S+ \S*confd\[\d+\]: [A-Z]+ /m
const NAMED = /^(?:Unable to process template [^,]*, )?(template: ([^:]+\.tmpl):.*)$/s

/** By the name of the template. */
function errorsIn(log: Buffer): ReadonlyMap<string, string> {
  const errors = new Map<string, string>()
  for (const record of log.toString('utf8').split(RECORD)) {
    const [, error, name] = NAMED.exec(record.replace(/\n$/, '')) ?? []
    if (error !== undefined && name !== undefined) errors.set(name, error)
  }
  return errors
}
