import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf } from './child.ts'
import type { SyncStore } from './sync-store.ts'

/** The real confd, or ours. */
export interface Syncer {
  readonly command: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

export interface SyncFigures {
  /** From the start of the process until all are rendered and reloaded. */
  readonly startMs: number
  /** Resident after that. */
  readonly bytes: number
  readonly watches: number
  /** From a put until the one that reads the key is reloaded. */
  readonly one: readonly number[]
  /** From a put until all, which read the key, are reloaded. */
  readonly all: readonly number[]
}

export interface SyncSetting {
  readonly folder: string
  readonly store: SyncStore
  readonly resources: number
  readonly ones: number
  readonly alls: number
}

const SHARED = '/app/shared'
const keyOf = (i: number) => `/app/key-${i}`
/** Longer than a debounce, so that each put is the first after quiet. */
const QUIET_MS = 400
const CALM_MS = 1_500
const PATIENCE_MS = 60_000

/** What has so many resources reads, each a key of its own and one that all read. The first names the folder of all. */
export async function fillStore({ put }: SyncStore, resources: number): Promise<void> {
  await put(SHARED, '0')
  for (let i = 0; i < resources; i += 1) await put(keyOf(i), '0')
}

export async function syncRun({ command, env }: Syncer, setting: SyncSetting): Promise<SyncFigures> {
  const { folder, store, resources } = setting
  const place = mkdtempSync(join(folder, 'sync-'))
  const reloads = reloadsAt(join(place, 'reloads'))
  lay(place, resources)
  const [program = '', ...first] = command
  const args = [...first, '-watch', '-backend=etcdv3', `-node=${store.endpoint}`, `-confdir=${place}`]
  const all = reloads.next(resources)
  const started = performance.now()
  const child = spawn(program, args, { stdio: 'ignore', env })
  const ended = once(child, 'exit')
  try {
    await all
    const startMs = performance.now() - started
    await sleep(CALM_MS)
    const [bytes, watches] = [memoryOf(child.pid, 'VmRSS'), await store.watches()]
    const timed = (key: string, many: number) => async (value: number) => {
      await sleep(QUIET_MS)
      const reloaded = reloads.next(many)
      const put = performance.now()
      await Promise.all([store.put(key, `${program} ${value} ${put}`), reloaded])
      return performance.now() - put
    }
    const one = await inTurn(setting.ones, timed(keyOf(resources - 1), 1))
    return { startMs, bytes, watches, one, all: await inTurn(setting.alls, timed(SHARED, resources)) }
  } finally {
    child.kill('SIGKILL')
    await ended
    reloads.close()
    rmSync(place, { recursive: true })
  }
}

async function inTurn(times: number, act: (turn: number) => Promise<number>): Promise<readonly number[]> {
  const results: number[] = []
  for (let turn = 0; turn < times; turn += 1) results.push(await act(turn))
  return results
}

function lay(place: string, resources: number): void {
  for (const folder of ['conf.d', 'templates', 'targets']) mkdirSync(join(place, folder))
  for (let i = 0; i < resources; i += 1) {
    const keys = [i === 0 ? '/app' : keyOf(i), SHARED]
    const toml = [
      '[template]',
      `src = "${i}.tmpl"`,
      `dest = "${join(place, 'targets', `${i}.conf`)}"`,
      `keys = ${JSON.stringify(keys)}`,
      `reload_cmd = "echo ${i} > ${join(place, 'reloads')}"`,
    ]
    writeFileSync(join(place, 'conf.d', `${i}.toml`), toml.join('\n'))
    writeFileSync(join(place, 'templates', `${i}.tmpl`), `{{getv "${keyOf(i)}"}} {{getv "${SHARED}"}}\n`)
  }
}

/** Some did not reload after a change. */
export class NotReloaded extends Error {}

/** A pipe that each reload writes a line to. */
function reloadsAt(path: string) {
  execFileSync('mkfifo', [path])
  const pipe = new Socket({ fd: openSync(path, constants.O_RDWR | constants.O_NONBLOCK), writable: false })
  let left = Number.POSITIVE_INFINITY
  let done = () => {}
  pipe.on('data', (bytes) => {
    left -= bytes.toString().split('\n').length - 1
    if (left <= 0) done()
  })
  return {
    async next(many: number): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      left = many
      done = resolve
      const timer = setTimeout(() => reject(new NotReloaded(`${left} of ${many} are not reloaded`)), PATIENCE_MS)
      await promise.finally(() => clearTimeout(timer))
    },
    close: () => pipe.destroy(),
  }
}
