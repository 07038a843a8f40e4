import { describe, expect, it, onTestFinished } from 'vitest'
import { configFrom } from '../../../src/commands/settings.ts'
import { type ProcessPart, started } from '../../../src/process/running.ts'
import { Meter } from '../../../src/telemetry/metrics.ts'

const args = ['--host=127.0.0.1', '--metrics-port=0', '--health-port=0']
const config = configFrom({ args, env: {}, names: ['host', 'metricsPort', 'healthPort'], readFile: () => ({}) })

/** Notes what becomes of it, and lacks something until a test says otherwise. */
class ToyPart implements ProcessPart {
  readonly #name: string
  readonly #events: string[]
  missing: string | undefined
  drained: Promise<void> = Promise.resolve()
  readonly #started = Promise.withResolvers<void>()

  constructor(name: string, events: string[]) {
    this.#name = name
    this.#events = events
  }

  get checks() {
    return [{ name: this.#name, missing: () => this.missing }]
  }

  get started(): Promise<void> {
    return this.#started.promise
  }

  async start(opened: AsyncDisposableStack) {
    this.#events.push(`${this.#name} starts`)
    opened.defer(() => void this.#events.push(`${this.#name} closes`))
    this.#started.resolve()
    return this.#name === 'two' ? { address: 'https://two' } : {}
  }

  async drain(): Promise<void> {
    this.#events.push(`${this.#name} drains`)
    await this.drained
  }
}

function running(...more: ProcessPart[]) {
  const events: string[] = []
  const [one, two] = [new ToyPart('one', events), new ToyPart('two', events)]
  const opened = new AsyncDisposableStack()
  opened.defer(() => void events.push('what they share closes'))
  const { ready, stop } = started({ config, meter: new Meter('toy_') }, [one, two, ...more], opened)
  onTestFinished(stop)
  return { one, two, ready, stop, events }
}

describe('two parts of one process', () => {
  it('start in order, and stop in the opposite one after both have drained', async () => {
    const { ready, stop, events } = running()
    await ready
    expect(events.splice(0)).toEqual(['one starts', 'two starts'])
    await stop()
    expect(events).toEqual(['one drains', 'two drains', 'two closes', 'one closes', 'what they share closes'])
  })
  it('say together what the ready line says, beside health and metrics', async () => {
    const address = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(await running().ready).toEqual({ address: 'https://two', health: address, metrics: address })
  })
  it('are ready when neither lacks anything', async () => {
    const { one, two, ready } = running()
    one.missing = 'a certificate'
    two.missing = 'a cache'
    await two.started
    expect(await Promise.race([ready, nextTurn()])).toBe('not yet')
    one.missing = undefined
    two.missing = undefined
    const { health } = await ready
    expect(await verbose(health)).toBe('[+]shutdown ok\n[+]one ok\n[+]two ok\n')
  })
  it('are not ready any more while they drain, and health still says so', async () => {
    const { two, ready, stop } = running()
    const { health } = await ready
    const { promise, resolve } = Promise.withResolvers<void>()
    two.drained = promise
    const stopped = stop()
    expect(await verbose(health)).toBe('[-]shutdown: this process is about to end\n[+]one ok\n[+]two ok\n')
    resolve()
    await stopped
    await expect(fetch(health)).rejects.toThrow()
  })
  it('close after both have drained, even when one cannot', async () => {
    const { one, two, ready, stop, events } = running()
    await ready
    one.drained = Promise.reject(new Error('no farewell'))
    const { promise, resolve } = Promise.withResolvers<void>()
    two.drained = promise
    const stopped = expect(stop()).rejects.toThrow('no farewell')
    await nextTurn()
    expect(events.slice(-2)).toEqual(['one drains', 'two drains'])
    resolve()
    await stopped
    expect(events.slice(-3)).toEqual(['two closes', 'one closes', 'what they share closes'])
    one.drained = Promise.resolve()
  })
  it('close in order when a third cannot start', async () => {
    const broken = { checks: [], start: () => Promise.reject(new Error('no port')) }
    const { ready, stop, events } = running(broken)
    await expect(ready).rejects.toThrow('no port')
    await stop()
    expect(events.slice(-3)).toEqual(['two closes', 'one closes', 'what they share closes'])
  })
})

const nextTurn = () => new Promise((resolve) => setImmediate(resolve, 'not yet'))

async function verbose(health: string): Promise<string> {
  return (await fetch(`${health}/readyz?verbose`)).text()
}
