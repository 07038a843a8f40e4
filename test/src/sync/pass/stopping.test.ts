import { readdirSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Files } from '../../../../src/sync/host/files.ts'
import type { Host } from '../../../../src/sync/host/host.ts'
import { realFiles } from '../../../../src/sync/host/real-files.ts'
import { realHost } from '../../../../src/sync/host/real-host.ts'
import { aStore, once, withLines } from '../../../support/sync/once.ts'

type Step = 'answer' | keyof Files | 'check' | 'reload'

/** As this host does, and tells as soon as a pass comes to a step. */
function hostThatTells(step: Step, tell: () => void): Partial<Host> {
  const files: Files = new Proxy(realFiles, {
    get(target, name) {
      const act: unknown = Reflect.get(target, name)
      if (name !== step || typeof act !== 'function') return act
      return (...given: unknown[]) => {
        tell()
        return Reflect.apply(act, target, given)
      }
    },
  })
  const run: Host['run'] = (command, options) => {
    if (String(command).includes(step)) tell()
    return realHost.run(command, options)
  }
  return { files, run }
}

const CHECK = 'check_cmd = "sleep 0.1; echo check >> OUT/log"'
const RELOAD = 'reload_cmd = "sleep 0.1; echo reload >> OUT/log"'
const OLD = { target: 'old', ran: [] }
const NEW = { target: 'v=1\n', ran: ['check', 'reload'] }

it.each<{ what: string; step: Step; lines?: string; ends: { target: string; ran: readonly string[] } }>([
  { what: 'the store answers', step: 'answer', ends: OLD },
  { what: 'it reads the template', step: 'read', ends: OLD },
  { what: 'it makes the stage file', step: 'create', ends: OLD },
  { what: 'it makes the stage file, without a check', step: 'create', lines: RELOAD, ends: OLD },
  { what: 'the check begins', step: 'check', ends: OLD },
  { what: 'the check is over', step: 'mark', ends: NEW },
  { what: 'it swaps', step: 'rename', ends: NEW },
  { what: 'it clears up', step: 'remove', ends: NEW },
  { what: 'the reload begins', step: 'reload', ends: NEW },
])(
  'SY-EXIT-9 stopped when $what: code 0, a whole target, nothing beside it, no error',
  async ({ step, lines, ends }) => {
    let stopped: Promise<void> | undefined
    const stop = () => {
      stopped ??= found.sync.stop()
    }
    const store = aStore()
    if (step === 'answer') store.beforeAnswer = async () => stop()
    const found = await once({
      store,
      conf: withLines(lines ?? `${CHECK}\n${RELOAD}`),
      host: hostThatTells(step, stop),
    })
    writeFileSync(found.path('a.conf'), 'old')
    expect(await found.sync.start()).toBe(0)
    await stopped
    expect(stopped).toBeDefined()
    expect({ target: found.content('a.conf'), ran: found.said() }).toEqual(ends)
    expect(readdirSync(found.out).filter((name) => name !== 'log')).toEqual(['.keep', 'a.conf'])
    expect(found.lines.filter(({ level }) => level === 'error')).toEqual([])
  },
)
