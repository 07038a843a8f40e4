import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { until } from '../cluster/until.ts'
import { folderOf } from '../support/folders.ts'

/** `tars-admission sync` as a process of its own, with a confdir of the test. */
export interface Product {
  /** Where the targets of its resources are. */
  readonly targets: string
  readonly log: readonly Line[]
  pid(): number
  /** The content of a target; undefined while there is none. */
  target(name: string): string | undefined
  shows(name: string, content: string, seconds?: number): Promise<void>
  signal(signal: NodeJS.Signals): void
  ended(): Promise<number | null>
}

type Line = Readonly<Record<string, unknown>>

/** One resource; `{{targets}}` in it is the folder of the targets. */
export interface Written {
  readonly keys: readonly string[]
  readonly template: string
  readonly check?: string
  readonly reload?: string
}

const PROGRAM = 'src/bin/tars-admission.ts'

/** By the name of the target. Ready when it returns. */
export async function startProduct(
  resources: Readonly<Record<string, Written>>,
  flags: readonly string[],
  { ready = true } = {},
): Promise<Product> {
  const place = folderOf()
  const targets = join(place, 'targets')
  const confdir = join(place, 'confdir')
  for (const folder of [targets, join(confdir, 'conf.d'), join(confdir, 'templates')])
    mkdirSync(folder, { recursive: true })
  for (const [name, resource] of Object.entries(resources)) writeResource(confdir, targets, name, resource)

  const args = [PROGRAM, 'sync', `-confdir=${confdir}`, ...flags]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => end(child))
  const log: Line[] = []
  let [out, rest] = ['', '']
  child.stdout.on('data', (bytes) => {
    out += bytes
  })
  child.stderr.on('data', (bytes) => {
    const lines = `${rest}${bytes}`.split('\n')
    rest = lines.pop() ?? ''
    log.push(...lines.map((line) => JSON.parse(line)))
  })
  const target = (name: string) => {
    try {
      return readFileSync(join(targets, name), 'utf8')
    } catch {
      return undefined
    }
  }
  if (ready) {
    await until('sync is ready', () => out.includes('"event":"ready"'), { seconds: 30 }).catch((cause) => {
      throw new Error(`its last words: ${JSON.stringify(log.slice(-3))}`, { cause })
    })
  }
  return {
    targets,
    log,
    target,
    pid: () => child.pid ?? 0,
    shows: (name, content, seconds = 45) =>
      until(`${name} holds ${content}`, () => target(name) === content, { seconds }),
    signal: (signal) => void child.kill(signal),
    ended: async () => {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      return child.exitCode
    },
  }
}

function writeResource(
  confdir: string,
  targets: string,
  name: string,
  { keys, template, check, reload }: Written,
): void {
  const inPlace = (text: string) => text.replaceAll('{{targets}}', targets)
  const line = (key: string, value: unknown) => `${key} = ${JSON.stringify(value)}\n`
  const toml = [
    '[template]\n',
    line('src', `${name}.tmpl`),
    line('dest', join(targets, name)),
    line('keys', keys),
    check === undefined ? '' : line('check_cmd', inPlace(check)),
    reload === undefined ? '' : line('reload_cmd', inPlace(reload)),
  ]
  writeFileSync(join(confdir, 'conf.d', `${name}.toml`), toml.join(''))
  writeFileSync(join(confdir, 'templates', `${name}.tmpl`), inPlace(template))
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Descriptors and resident bytes of a process. */
export function useOf(pid: number): { readonly descriptors: number; readonly bytes: number } {
  const [, resident = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { descriptors: readdirSync(`/proc/${pid}/fd`).length, bytes: Number(resident) * 1024 }
}
