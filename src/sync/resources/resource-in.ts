import { posix } from 'node:path'
import { unknownKey } from '../options/config-file.ts'
import { DURATION, FLAG, INTEGER, LIST, TEXT } from '../options/option.ts'
import { OPTIONS, type Options } from '../options/options.ts'
import { expanded } from '../pass/expanded.ts'
import { entriesOf, tableIn } from '../toml.ts'
import { COMMAND, type Fields, fieldsOf } from './fields.ts'
import { modeIn } from './mode.ts'
import { bytesOf, keyUnder, prefixOf } from './paths.ts'
import type { Action, BrokenResource, TemplateResource } from './resource.ts'

export interface ResourceFile {
  readonly name: string
  readonly text: string
}

export interface FoundResource {
  readonly resource: TemplateResource | BrokenResource
  readonly warnings: readonly string[]
}

/** Reads one file of conf.d; what is outside of [template] counts for nothing (SY-RES-4). */
export function resourceIn({ name, text }: ResourceFile, options: Options): FoundResource {
  const table = tableIn(text)
  if (!table.ok) return broken(name, [table.why])
  const [, template] = table.entries.find(([key]) => key === 'template') ?? table.entries.find(isTemplate) ?? []
  const entries = entriesOf(template)
  if (entries === undefined) return broken(name, ['[template] is missing'])
  const fields = fieldsOf(entries)
  const mode = modeIn(fields.of('mode', TEXT) ?? '')
  const wrong = [
    ...fields.wrong,
    ...required(fields),
    ...wrongIds(fields),
    ...noTime(fields),
    ...wrongCommands(fields),
    ...(mode.wrong === undefined ? [] : [mode.wrong]),
  ]
  if (wrong.length > 0) return broken(name, wrong)
  const unknown = fields.unknown.map(unknownKey)
  const warnings = [...unknown, ...(mode.warning === undefined ? [] : [mode.warning])]
  return { resource: { name, mode: mode.mode, ...placed(fields, options), ...acting(fields, options) }, warnings }
}

const isTemplate = ([key]: readonly [string, unknown]) => key.toLowerCase() === 'template'

function broken(name: string, wrong: readonly string[]): FoundResource {
  return { resource: { name, why: wrong.join('; ') }, warnings: [] }
}

function required(fields: Fields): readonly string[] {
  const isEmpty = (name: 'src' | 'dest') => (fields.of(name, TEXT) ?? '') === ''
  const hasNul = (name: 'src' | 'dest') => fields.of(name, TEXT)?.includes('\0') ?? false
  return [
    ...(isEmpty('src') ? ['src: empty src template; name a file of templates'] : []),
    ...(isEmpty('dest') ? ['dest: it is empty; name the file to write'] : []),
    ...(['src', 'dest'] as const).filter(hasNul).map((name) => `${name}: it has a NUL, which no path can`),
  ]
}

const MOST_ID = 4_294_967_294n

function wrongIds(fields: Fields): readonly string[] {
  const ids = [['uid', fields.of('uid', INTEGER)] as const, ['gid', fields.of('gid', INTEGER)] as const]
  const isWrong = (id = 0) => id < -1 || id > MOST_ID
  return ids.flatMap(([name, id]) => (isWrong(id) ? [`${name}: it takes 0 to ${MOST_ID}`] : []))
}

/** No command ends in no time. */
function noTime(fields: Fields): readonly string[] {
  const timeouts = ['check_cmd_timeout', 'reload_cmd_timeout'] as const
  return timeouts.filter((name) => fields.of(name, DURATION) === 0).map((name) => `${name}: it takes more than 0`)
}

function placed(fields: Fields, options: Options) {
  const global = options.of(OPTIONS.prefix)
  const prefix = prefixOf(fields.of('prefix', TEXT) ?? '', global, options.of(OPTIONS.prefixJoin))
  return {
    src: posix.join(options.of(OPTIONS.confdir), 'templates', fields.of('src', TEXT) ?? ''),
    dest: posix.resolve(fields.of('dest', TEXT) ?? ''),
    prefix: bytesOf(prefix),
    keys: (fields.of('keys', LIST) ?? []).map((key) => keyUnder(prefix, key)),
    uid: set(fields.of('uid', INTEGER)),
    gid: set(fields.of('gid', INTEGER)),
    createDir: fields.of('create_dir', FLAG) ?? false,
    strict: fields.of('strict', FLAG) ?? false,
  }
}

/** Whether the paths fit is known by now: a stage file stands beside its target and is named after it. */
function wrongCommands(fields: Fields): readonly string[] {
  const dest = posix.resolve(fields.of('dest', TEXT) ?? '')
  return (['check_cmd', 'reload_cmd'] as const).flatMap((name) => {
    const found = expanded(fields.of(name, COMMAND) ?? '', { src: dest, dest })
    return found.ok ? [] : [`${name}: ${found.why}`]
  })
}

/** confd has -1 for "not given". */
const set = (id: number | undefined) => (id === -1 ? undefined : id)

function acting(fields: Fields, options: Options) {
  const { checkCmdTimeout, reloadCmdTimeout, debounce } = OPTIONS
  const action = (
    command: 'check_cmd' | 'reload_cmd',
    timeout: 'check_cmd_timeout' | 'reload_cmd_timeout',
    usual: number,
  ) => actionOf(fields.of(command, COMMAND), fields.of(timeout, DURATION) ?? usual)
  return {
    check: action('check_cmd', 'check_cmd_timeout', options.of(checkCmdTimeout)),
    reload: action('reload_cmd', 'reload_cmd_timeout', options.of(reloadCmdTimeout)),
    debounceMs: fields.of('debounce', DURATION) ?? options.of(debounce),
  }
}

/** An empty command is none. */
function actionOf(command: string | readonly string[] | undefined, timeoutMs: number): Action | undefined {
  return command === undefined || command.length === 0 ? undefined : { command, timeoutMs }
}
