import { randomUUID } from 'node:crypto'
import { type Clock, systemClock } from '../clock.ts'
import type { Config } from '../config.ts'
import { Fault } from '../faults.ts'
import type { Command, ExitCode, World } from './command.ts'
import { type Api, type PathSeen, pathThrough } from './path.ts'
import type { PathTrouble } from './path-trouble.ts'

export const check: Command = {
  settings: ['kubeconfig', 'namespace', 'wait'],
  usual: { namespace: 'default' },
  says: { namespace: 'where the dry run is tried; whoever asks needs the right to create TTemplates there' },
  async run(config, { out, err }) {
    const { apiOf } = await import('./path-api.ts')
    const { api, stop } = await apiOf(config)
    try {
      return await checkPath(api, config, { out, err, clock: systemClock })
    } finally {
      stop()
    }
  },
}

const PAUSE_MS = 1_000

/** Tries until it works, until only more rights would help, or until the time is over. */
export async function checkPath(
  api: Api,
  { namespace, wait }: Pick<Config, 'namespace' | 'wait'>,
  { out, err, clock }: Pick<World, 'out' | 'err'> & { readonly clock: Clock },
): Promise<ExitCode> {
  const end = clock.tick() + wait * 1_000
  for (let before = ''; ; ) {
    const seen = await attempt(api, namespace)
    const { what = '', is } = seen.trouble ?? {}
    if (what === '' || is === 'barred' || clock.tick() + PAUSE_MS > end) {
      out(textOf(seen))
      return codeOf(seen)
    }
    if (what !== before) err(`waiting: ${what}\n`)
    before = what
    await new Promise<void>((resolve) => void clock.after(PAUSE_MS, resolve))
  }
}

interface Attempt {
  readonly works: readonly string[]
  readonly trouble?: Omit<PathTrouble, 'is'> & { readonly is: PathTrouble['is'] | 'out of reach' }
}

async function attempt(api: Api, namespace: string): Promise<PathSeen | Attempt> {
  try {
    return await pathThrough(api, namespace, `tars-admission-check-${randomUUID().slice(0, 8)}`)
  } catch (error) {
    if (!(error instanceof Fault && error.retry)) throw error
    return { works: [], trouble: { is: 'out of reach', what: error.message, remedy: UNREACHED } }
  }
}
const UNREACHED = 'is it the right cluster (--kubeconfig), and is its API server up?'

function textOf({ works, trouble }: Attempt): string {
  const done = works.map((each) => `ok      ${each}`)
  if (trouble === undefined) return `${[...done, 'the whole path works: API server, webhook, answer'].join('\n')}\n`
  const { what, remedy, said } = trouble
  const words = said === undefined ? [] : [`        the API server says: ${said}`]
  return `${[...done, `failed  ${what}`, ...words, `        ${remedy}`].join('\n')}\n`
}

function codeOf({ trouble }: Attempt): ExitCode {
  if (trouble === undefined) return 0
  return trouble.is === 'broken' ? 1 : 3
}
