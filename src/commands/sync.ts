import { readFile } from 'node:fs/promises'
import { COMMIT, VERSION } from '../config.ts'
import { Fault } from '../faults.ts'
import type { ReadinessDetail } from '../http/side-servers.ts'
import { passed } from '../process/readiness.ts'
import { realHost } from '../sync/host/real-host.ts'
import { SYNC_PREFIX, syncMetrics } from '../sync/metrics.ts'
import { openStore } from '../sync/open-store.ts'
import { ALL, nameOf, OPTIONS, type Options } from '../sync/options/options.ts'
import { levelOf } from '../sync/options/problems.ts'
import { settled } from '../sync/options/settled.ts'
import { detailOf } from '../sync/readiness.ts'
import { Report } from '../sync/report.ts'
import { Sync } from '../sync/sync.ts'
import { logTo } from '../telemetry/log.ts'
import { Meter, processMetrics } from '../telemetry/metrics.ts'
import { systemClock } from '../timing/clock.ts'
import type { ExitCode, OwnWords, World } from './command.ts'
import type { CompletedFlag } from './completed.ts'

/** Its words, its file and its exit codes are those of confd (SY-FIT-2). */
export const sync: OwnWords = {
  completes: { flags: flags() },
  async runWith(args, world) {
    const version = [VERSION, COMMIT].filter(Boolean).join(' ')
    const found = await settled({ args, env: world.env, readFile: textOf, version })
    if (found.do === 'run') return runningOrNot(found.options, found.warnings, world)
    if (found.out !== undefined) world.out(`${found.out}\n`)
    if (found.err !== undefined) world.err(`tars-admission sync: ${found.err}\n`)
    return found.code
  },
}

/** A text may be a path, which a shell completes of itself. */
function flags(): readonly CompletedFlag[] {
  return ALL.flatMap((option) => {
    if (option.flag === undefined) return []
    const flag = { names: [nameOf(option)], doc: option.doc, isList: false }
    return [option.kind.word === '' ? flag : { ...flag, takes: 'path' as const }]
  })
}

/** A fault at the start ends it with 1, as confd does. */
async function runningOrNot(options: Options, warnings: readonly string[], world: World): Promise<ExitCode> {
  try {
    return await running(options, warnings, world)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    world.err(`tars-admission sync: ${error.message}\n`)
    return 1
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

async function running(options: Options, warnings: readonly string[], world: World): Promise<ExitCode> {
  const log = logTo({ write: world.err }, levelOf(options.of(OPTIONS.logLevel)) ?? 'info')
  const meter = new Meter(SYNC_PREFIX)
  const { handlerErrors, buildInfo } = processMetrics(meter)
  buildInfo.set({ version: VERSION, node: process.versions.node }, 1)
  for (const reason of warnings) log.warn({ reason }, 'options')
  await using opened = new AsyncDisposableStack()
  const store = opened.adopt(await openStore(options, { clock: systemClock, log }), (each) => each.close())
  const report = new Report(log, syncMetrics(meter), systemClock)
  const sync = new Sync({ options, host: realHost, store, log, report })
  const stopped = world.untilStopped(
    (why, err) => {
      handlerErrors.inc({ kind: '', class: why })
      log.error({ class: why, err }, 'nobody caught an error')
    },
    { hangup: () => void sync.reread(), again: 1 },
  )
  const health = await healthAt(options.of(OPTIONS.healthAddr), () => detailOf(sync.progress), meter, opened)
  opened.defer(() => sync.stop())
  const ended = sync.start().then(async (code) => {
    if (code !== undefined) return { code }
    await ready(sync, opened)
    world.out(readyLine(sync, health))
    return stopped
  })
  const first = await Promise.race([ended, stopped])
  if ('why' in first) log.info({ signal: first.why }, 'stopping')
  return first.code
}

/** Its server is loaded where it is wanted alone: it takes 25 MB. */
async function healthAt(
  address: string,
  readiness: () => ReadinessDetail,
  meter: Meter,
  opened: AsyncDisposableStack,
): Promise<string | undefined> {
  if (address === '') return undefined
  const [{ syncServer }, { listening }] = await Promise.all([
    import('../http/side-servers.ts'),
    import('../process/listening.ts'),
  ])
  meter.collectProcess()
  const at = address.lastIndexOf(':')
  const place = { host: address.slice(0, at).replace(/^\[|\]$/g, '') || '0.0.0.0', port: Number(address.slice(at + 1)) }
  return listening(
    syncServer(readiness, meter, systemClock),
    { ...place, flag: 'health-addr', hostFlag: 'health-addr' },
    opened,
  )
}

/** A daemon without resources has nothing to wait for. */
function ready(sync: Sync, opened: AsyncDisposableStack): Promise<void> {
  const missing = () => sync.progress.waiting[0]?.resource
  return passed([{ name: 'resources', missing }], opened)
}

function readyLine(sync: Sync, health: string | undefined): string {
  return `${JSON.stringify({ event: 'ready', resources: sync.progress.resources, health })}\n`
}
