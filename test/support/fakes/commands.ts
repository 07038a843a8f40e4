import type { Ran, RunCommand } from '../../../src/sync/host/commands.ts'

const WELL: Ran = { ok: true, why: '', output: '' }
const BADLY: Ran = { ok: false, why: 'ended with code 1', output: '' }

/** Commands that end when and as a test says. */
export class FakeCommands {
  readonly #pending: { readonly line: string; readonly end: (ran: Ran) => void }[] = []
  /** All that were started, in order. */
  readonly started: string[] = []
  /** How those end that nothing holds. */
  ok = true
  /** Those that wait for `end`. */
  held = (_line: string): boolean => false

  run: RunCommand = (command, { signal }) => {
    const line = typeof command === 'string' ? command : command.join(' ')
    this.started.push(line)
    if (!this.held(line)) return Promise.resolve(this.ok ? WELL : BADLY)
    const { promise, resolve } = Promise.withResolvers<Ran>()
    this.#pending.push({ line, end: resolve })
    signal.addEventListener('abort', () => resolve({ ...BADLY, why: 'was ended, since this process ends' }))
    return promise
  }

  get running(): readonly string[] {
    return this.#pending.map(({ line }) => line)
  }

  end(line: string, ok = true): void {
    const at = this.#pending.findIndex((each) => each.line === line)
    for (const { end } of this.#pending.splice(at, 1)) end(ok ? WELL : BADLY)
  }
}
