import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Host } from '../../../src/sync/host/host.ts'
import { realHost } from '../../../src/sync/host/real-host.ts'
import { SYNC_PREFIX, syncMetrics } from '../../../src/sync/metrics.ts'
import { settled } from '../../../src/sync/options/settled.ts'
import { Report } from '../../../src/sync/report.ts'
import type { Store } from '../../../src/sync/store.ts'
import { Sync } from '../../../src/sync/sync.ts'
import { logTo } from '../../../src/telemetry/log.ts'
import { Meter } from '../../../src/telemetry/metrics.ts'
import { FakeStore } from '../fakes/store.ts'
import { folderOf } from '../folders.ts'

export interface Laid {
  /** Resource files by name: the lines of [template], where OUT stands for the folder of targets. */
  readonly conf?: Readonly<Record<string, string>>
  readonly templates?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  readonly store?: Store
  readonly host?: Partial<Host>
}

/** A confdir with a folder of targets beside it, and a sync on it in this process, on real files. */
export async function aSync({ conf = {}, templates = {}, args = [], store = new FakeStore(), host = {} }: Laid) {
  const folder = folderOf({ 'conf.d/.keep': '', 'templates/.keep': '', 'out/.keep': '' })
  const out = join(folder, 'out')
  const lay = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const layResource = (name: string, lines: string) =>
    lay(`conf.d/${name}`, `[template]\n${lines.replaceAll('OUT', out)}\n`)
  for (const [name, lines] of Object.entries(conf)) layResource(name, lines)
  for (const [name, text] of Object.entries(templates)) lay(`templates/${name}`, text)
  const lines: Readonly<Record<string, unknown>>[] = []
  const log = logTo({ write: (line: string) => void lines.push(JSON.parse(line)) }, 'debug')
  const meter = new Meter(SYNC_PREFIX)
  const found = await settled({
    args: ['-confdir', folder, '-backend', 'env', ...args],
    env: {},
    readFile: async () => undefined,
    version: '',
  })
  if (found.do === 'end') throw new Error(found.err)
  const around = { ...realHost, follow: untilAborted, ...host }
  const report = new Report(log, syncMetrics(meter), around.clock)
  const sync = new Sync({ options: found.options, host: around, store, log, report })
  onTestFinished(() => sync.stop())
  return {
    sync,
    folder,
    out,
    lay,
    layResource,
    lines,
    path: (name: string) => join(out, name),
    content: (name: string) => textOf(join(out, name)) ?? '(missing)',
    /** The lines of a log file that commands write. */
    said: (name = 'log') => linesOf(join(out, name)),
    metric: async (name: string) => (await meter.registry.getSingleMetricAsString(`${SYNC_PREFIX}${name}`)).split('\n'),
  }
}

const linesOf = (path: string) => (textOf(path) ?? '').split('\n').filter(Boolean)

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Folders are followed where a test says so. */
async function untilAborted(_: readonly string[], changed: () => void, signal: AbortSignal): Promise<void> {
  changed()
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
}
