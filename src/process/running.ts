import type { Config } from '../config.ts'
import { type Check, healthServer, metricsServer } from '../http/side-servers.ts'
import type { Meter } from '../telemetry/metrics.ts'
import { systemClock } from '../timing/clock.ts'
import { listening } from './listening.ts'
import { passed } from './readiness.ts'

/** What runs in a process: reviews, certificates, later controllers and the file sync. */
export interface ProcessPart {
  /** Its conditions of readiness. */
  readonly checks: readonly Check[]
  /**
   * Opens what it needs, and leaves in `opened` how each of it is closed again: in reverse order, so what came first
   * closes last. It resolves with what the ready line says of it.
   */
  start(opened: AsyncDisposableStack): Promise<Partial<Ready>>
  /** Before anything closes: the process is not ready any more, but callers that do not know yet are still served (SV-10). */
  drain?(): Promise<void>
}

/**
 * What the ready line says, in this order. A process without reviews has neither address nor CA, and one without
 * controllers has no identity.
 */
export interface Ready {
  readonly address?: string
  /** The holder that it stands for in the Lease of the worker. */
  readonly identity?: string
  readonly health: string
  readonly metrics: string
  readonly ca?: string
}

interface SideServers {
  readonly config: Pick<Config, 'host' | 'healthPort' | 'metricsPort'>
  readonly meter: Meter
}

/** Parts that run or start. */
export interface Running {
  /** Resolves when every check holds; rejects if a part cannot start. */
  readonly ready: Promise<Ready>
  stop(): Promise<void>
}

/** Health is served first: a process that waits for its certificate is alive, and says what it waits for. */
export function started(
  sides: SideServers,
  parts: readonly ProcessPart[],
  opened = new AsyncDisposableStack(),
): Running {
  let isStopping = false
  const ends = { name: 'shutdown', missing: () => (isStopping ? 'this process is about to end' : undefined) }
  const checks = [ends, ...parts.flatMap((part) => part.checks)]
  return {
    ready: readyWith(sides, { parts, checks, opened }),
    async stop() {
      isStopping = true
      const drains = await Promise.allSettled(parts.map(async (part) => part.drain?.()))
      await opened.disposeAsync()
      const failed = drains.find((each) => each.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    },
  }
}

interface Starting {
  readonly parts: readonly ProcessPart[]
  readonly checks: readonly Check[]
  readonly opened: AsyncDisposableStack
}

async function readyWith({ config, meter }: SideServers, starting: Starting): Promise<Ready> {
  const { parts, checks, opened } = starting
  const { host, healthPort, metricsPort } = config
  const health = await listening(healthServer(checks), { host, port: healthPort, flag: 'health-port' }, opened)
  const metered = metricsServer(meter, systemClock)
  const metrics = await listening(metered, { host, port: metricsPort, flag: 'metrics-port' }, opened)
  let ready: Ready = { health, metrics }
  for (const part of parts) ready = { ...ready, ...(await part.start(opened)) }
  await passed(checks, opened)
  return ready
}
