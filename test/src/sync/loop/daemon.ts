import { vi } from 'vitest'
import type { Files } from '../../../../src/sync/host/files.ts'
import { realFiles } from '../../../../src/sync/host/real-files.ts'
import { ManualClock } from '../../../support/fakes/clock.ts'
import { FakeCommands } from '../../../support/fakes/commands.ts'
import { FakeStore } from '../../../support/fakes/store.ts'
import { aSync, type Laid } from '../../../support/sync/running.ts'

export const TEMPLATES = { a: '{{range gets "/*"}}{{.Value}}{{end}}' }
/** A resource of its own key, target and reload. */
export const aResource = (name: string, more = `reload_cmd = "reload ${name}"`) =>
  `src = "a"\ndest = "OUT/${name}"\nkeys = ["/${name}"]\n${more}`

/** A daemon with a store, commands and a clock of the test. Nothing runs that the test has not let time pass for. */
export async function aDaemon(laid: Laid & { readonly values?: Readonly<Record<string, string>> } = {}) {
  const { conf = { 'a.toml': aResource('a') }, values = { '/a': '1', '/b': '1' }, args = ['-watch'] } = laid
  const [store, clock, commands] = [new FakeStore(values), new ManualClock(), new FakeCommands()]
  clock.chance = 0.5
  const laidOut = { store, templates: TEMPLATES, ...laid, conf, args }
  const files = new CountedFiles(laid.host?.files ?? realFiles)
  const made = await aSync({ ...laidOut, host: { clock, run: commands.run, ...laid.host, files: files.counted } })
  const { sync } = made
  return {
    ...made,
    store,
    clock,
    commands,
    /** Its first passes are over, and what the watch said of its own beginning. */
    async started() {
      await sync.start()
      await within(0, () => sync.progress.waiting.length === 0)
      await quietly(1_000)
    },
    within,
    quietly,
  }

  /** Lets time pass until that holds; it may take no longer. */
  async function within(ms: number, holds: () => boolean): Promise<void> {
    const step = Math.max(STEP_MS, ms / MOST_STEPS)
    for (let left = ms; left > 0 && !holds(); left -= step) await quietly(Math.min(left, step))
    await settled(() => {
      clock.advance(0)
      return holds()
    })
  }

  /** Lets time pass, and what it starts run to its end; for what is not to happen. */
  async function quietly(ms: number): Promise<void> {
    await files.idle()
    clock.advance(ms)
    await files.idle()
  }
}
const STEP_MS = 10
const MOST_STEPS = 200

/** Knows whether an answer of the file system is waited for: all else that a pass waits for is in the hand of the test. */
class CountedFiles {
  #waiting = 0
  readonly counted: Files

  constructor(files: Files) {
    this.counted = new Proxy(files, {
      get: (_, name) => {
        const act: unknown = Reflect.get(files, name)
        return typeof act === 'function' ? (...given: unknown[]) => this.#count(Reflect.apply(act, files, given)) : act
      },
    })
  }

  async idle(): Promise<void> {
    for (let calm = 0; calm < CALM; calm++) {
      await new Promise((resolve) => setImmediate(resolve))
      if (this.#waiting > 0) calm = 0
    }
  }

  async #count<T>(answer: Promise<T>): Promise<T> {
    this.#waiting++
    try {
      return await answer
    } finally {
      this.#waiting--
    }
  }
}
const CALM = 5

/** Real files take real time; what is waited for comes soon, or the test fails. */
export function settled(holds: () => boolean): Promise<void> {
  return vi.waitFor(
    () => {
      if (!holds()) throw new Error('it does not come to hold')
    },
    { timeout: 5_000, interval: 5 },
  )
}
