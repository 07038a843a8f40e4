import { readdirSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Files } from '../../../../src/sync/host/files.ts'
import type { Host } from '../../../../src/sync/host/host.ts'
import { realFiles } from '../../../../src/sync/host/real-files.ts'
import { realHost } from '../../../../src/sync/host/real-host.ts'
import { aStore, ONE, TEMPLATES, withLines } from '../../../support/sync/once.ts'
import { aSync, type Laid } from '../../../support/sync/running.ts'

type Tell = (step: string) => void

/** As this host does, and tells of each thing that it is asked to do: before it begins, and when it is over. */
function hostThatTells(tell: Tell, files: Files = realFiles): Partial<Host> {
  const told = async <T>(what: string, act: () => Promise<T>): Promise<T> => {
    tell(`before ${what}`)
    const done = await act()
    tell(`after ${what}`)
    return done
  }
  const counted: Files = new Proxy(files, {
    get(target, name) {
      const act: unknown = Reflect.get(target, name)
      if (typeof act !== 'function') return act
      return (...given: unknown[]) => told(String(name), () => Reflect.apply(act, target, given))
    },
  })
  return { files: counted, run: (command, options) => told(String(command), () => realHost.run(command, options)) }
}

interface Ended {
  /** Where it was stopped; `undefined` when it had ended before. */
  readonly at: string | undefined
  readonly code: number | undefined
  readonly target: string
  readonly ran: readonly string[]
  readonly beside: readonly string[]
  readonly errors: readonly string[]
}

/** One pass, stopped at its nth step. */
async function stoppedAt(nth: number, laid: Laid, mount = false): Promise<Ended> {
  let [step, at, stopped]: [number, string | undefined, Promise<void> | undefined] = [0, undefined, undefined]
  const tell = (what: string) => {
    if (step++ !== nth) return
    at = what
    stopped = found.sync.stop()
  }
  const store = aStore()
  store.beforeAnswer = async () => tell('answer')
  const found = await aSync({
    templates: TEMPLATES,
    store,
    ...laid,
    host: hostThatTells(tell, mount ? MOUNTED : realFiles),
  })
  writeFileSync(found.path('a.conf'), 'old')
  const code = await found.sync.start()
  // a daemon goes on: its first pass is over when it is ready, if nothing stops it before
  while (code === undefined && stopped === undefined && found.sync.progress.waiting.length > 0)
    await new Promise((resolve) => setTimeout(resolve, 1))
  await (stopped ?? found.sync.stop())
  return {
    at,
    code,
    target: found.content('a.conf'),
    ran: found.said(),
    beside: readdirSync(found.out).filter((name) => !['.keep', 'a.conf', 'log'].includes(name)),
    errors: found.lines.filter(({ level }) => level === 'error').map(({ msg }) => String(msg)),
  }
}

const busy = Object.assign(new Error(), { code: 'EBUSY' })
const MOUNTED: Files = {
  ...realFiles,
  rename: (from, to) => (to.endsWith('a.conf') ? Promise.reject(busy) : realFiles.rename(from, to)),
}

const BOTH = 'check_cmd = "echo check >> OUT/log"\nreload_cmd = "echo reload >> OUT/log"'

it.each<{ name: string; laid: Laid; mount?: boolean; ran: readonly string[]; from: string }>([
  {
    name: '-onetime',
    laid: { args: ['-onetime'], conf: withLines(BOTH) },
    ran: ['check', 'reload'],
    from: 'before mark',
  },
  { name: '-onetime, without commands', laid: { args: ['-onetime'], conf: ONE }, ran: [], from: 'before rename' },
  {
    name: '-onetime, on a target that is a mount',
    laid: { args: ['-onetime'], conf: withLines(BOTH) },
    mount: true,
    ran: ['check', 'reload'],
    from: 'before mark',
  },
  {
    name: '-onetime, with all that it can keep and make',
    laid: { args: ['-onetime', '-keep-stage-file'], conf: withLines(`${BOTH}\ncreate_dir = true`) },
    ran: ['check', 'reload'],
    from: 'before mark',
  },
  { name: '-watch', laid: { args: ['-watch'], conf: withLines(BOTH) }, ran: ['check', 'reload'], from: 'before mark' },
])(
  'SY-EXIT-9 $name: stopped at each step, the target is old or new and whole, with its reload, and nothing beside it',
  async ({ laid, mount = false, ran, from }) => {
    const ends: Ended[] = []
    for (let nth = 0; ends.at(-1)?.at !== undefined || nth === 0; nth++) ends.push(await stoppedAt(nth, laid, mount))
    const kept = laid.args?.includes('-keep-stage-file') ? ['.a.conf.staged'] : []
    for (const { at, code, target, ran: has, beside, errors } of ends) {
      const isNew = target === 'v=1\n'
      expect({ at, target, code }).toEqual({
        at,
        target: isNew ? target : 'old',
        code: laid.args?.[0] === '-watch' ? undefined : 0,
      })
      expect({ at, errors, beside: beside.filter((name) => !kept.includes(name)) }).toEqual({
        at,
        errors: [],
        beside: [],
      })
      if (isNew) expect({ at, has }).toEqual({ at, has: ran })
      else expect(has).not.toContain('reload')
    }
    const targets = ends.map(({ target }) => target)
    expect(targets).toEqual([...targets].sort()) // once new, it stays new: "old" comes before "v=1"
    expect(ends.find(({ target }) => target !== 'old')?.at).toBe(from)
    expect(ends.length).toBeGreaterThan(15)
  },
  60_000,
)
