import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { memoryOf } from '../bench/child.ts'
import { until } from '../cluster/until.ts'
import { folderOf } from '../support/folders.ts'
import { type SyncProcess, syncProcess } from '../support/sync/process.ts'

/** A daemon with a confdir of the test. */
export interface Product extends SyncProcess {
  /** Where the targets of its resources are. */
  readonly targets: string
  /** The content of a target; undefined while there is none. */
  target(name: string): string | undefined
  shows(name: string, content: string, seconds?: number): Promise<void>
}

/** One resource; `{{targets}}` in it is the folder of the targets. */
export interface Written {
  readonly keys: readonly string[]
  readonly template: string
  readonly check?: string
  readonly reload?: string
}

type Env = Readonly<Record<string, string>>

/** By the name of the target. Ready when it returns. */
export function startProduct(
  resources: Readonly<Record<string, Written>>,
  flags: readonly string[],
  env: Env = {},
): Promise<Product> {
  const { confdir, targets } = laidOut(resources)
  return readyProduct(targets, [`-confdir=${confdir}`, ...flags], env)
}

/** Without a flag: all that it knows stands in its confd.toml, where `/etc/confd` is the confdir. */
export function startProductBy(confdToml: string, resources: Readonly<Record<string, Written>>): Promise<Product> {
  const { confdir, targets } = laidOut(resources)
  const file = join(folderOf({ 'confd.toml': confdToml.replaceAll('/etc/confd', confdir) }), 'confd.toml')
  return readyProduct(targets, [], { CONFD_CONFIG_FILE: file })
}

async function readyProduct(targets: string, args: readonly string[], env: Env): Promise<Product> {
  const running = syncProcess(args, env)
  await until('sync is ready', () => running.out().includes('"event":"ready"'), { seconds: 30 }).catch((cause) => {
    throw new Error(`its last words: ${running.err().slice(-2_000)}`, { cause })
  })
  const target = (name: string) => {
    try {
      return readFileSync(join(targets, name), 'utf8')
    } catch {
      return undefined
    }
  }
  const shows = (name: string, content: string, seconds = 45) =>
    until(`${name} holds ${content}`, () => target(name) === content, { seconds })
  return { ...running, targets, target, shows }
}

function laidOut(resources: Readonly<Record<string, Written>>) {
  const targets = folderOf()
  const inPlace = (text: string) => text.replaceAll('{{targets}}', targets)
  const files = Object.entries(resources).flatMap(([name, resource]) => [
    [`conf.d/${name}.toml`, inPlace(resourceOf(name, targets, resource))],
    [`templates/${name}.tmpl`, inPlace(resource.template)],
  ])
  return { targets, confdir: folderOf(Object.fromEntries(files)) }
}

function resourceOf(name: string, targets: string, { keys, check, reload }: Written): string {
  const line = (key: string, value: unknown) => `${key} = ${JSON.stringify(value)}\n`
  return [
    '[template]\n',
    line('src', `${name}.tmpl`),
    line('dest', join(targets, name)),
    line('keys', keys),
    check === undefined ? '' : line('check_cmd', check),
    reload === undefined ? '' : line('reload_cmd', reload),
  ].join('')
}

/** Descriptors and resident bytes of a process. */
export function useOf(pid: number): { readonly descriptors: number; readonly bytes: number } {
  return { descriptors: readdirSync(`/proc/${pid}/fd`).length, bytes: memoryOf(pid, 'VmRSS') }
}
