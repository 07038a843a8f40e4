import { randomUUID } from 'node:crypto'
import type { Config } from '../config.ts'
import { type Api, pathThrough, type Trial } from '../diagnosis/path.ts'
import type { PathTrouble } from '../diagnosis/path-trouble.ts'
import { type WorkerSeen, workerSeen } from '../diagnosis/worker.ts'
import { kindsOf } from '../family.ts'
import { Fault } from '../faults.ts'
import { type Clock, systemClock } from '../timing/clock.ts'
import type { Command, ExitCode, World } from './command.ts'

export const check: Command = {
  settings: ['kubeconfig', 'namespace', 'namespaces', 'wait', 'families'],
  usual: { namespace: 'default' },
  says: {
    namespace: 'where the dry run is tried; whoever asks needs the right to create TTemplates there',
    namespaces: 'the worker of these is looked for: its Lease has a name of its own',
  },
  async run(config, { out, err }, { families }) {
    const { apiOf } = await import('../diagnosis/path-api.ts')
    const { api, stop } = await apiOf(config)
    try {
      return await checkPath(
        api,
        { ...config, kinds: kindsOf(families, config.settings) },
        { out, err, clock: systemClock },
      )
    } finally {
      stop()
    }
  },
}

type CheckOptions = Pick<Config, 'namespace' | 'namespaces' | 'wait'> & Pick<Trial, 'kinds'>
type CheckContext = Pick<World, 'out' | 'err'> & { readonly clock: Clock }

export async function checkPath(api: Api, options: CheckOptions, context: CheckContext): Promise<ExitCode> {
  const seen = options.wait === 0 ? await attempt(api, options, context) : await lastAttempt(api, options, context)
  context.out(textOf(seen))
  return codeOf(seen)
}

const PAUSE_MS = 1_000

/** Retries until it works, until only more rights would help, or until the time is over, even during an attempt. */
async function lastAttempt(api: Api, options: CheckOptions, context: CheckContext): Promise<Attempt> {
  const { err, clock } = context
  const { wait } = options
  const end = clock.tick() + wait * 1_000
  let last = outOfReach(`no answer from the API server within ${wait} s`, SLOW)
  for (;;) {
    const seen = await within(
      end - clock.tick(),
      attempt(api, options, context, (seen) => (last = seen)),
      clock,
    )
    if (seen === undefined) return last
    const { trouble } = seen
    if (trouble === undefined || trouble.is === 'barred' || clock.tick() + PAUSE_MS > end) return seen
    if (trouble.what !== last.trouble?.what) err(`waiting: ${trouble.what}\n`)
    last = seen
    await new Promise<void>((resolve) => void clock.after(PAUSE_MS, resolve))
  }
}

/** Nothing if it takes longer; then it is no longer awaited. */
async function within<T>(ms: number, act: Promise<T>, clock: Clock): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const callOff = clock.after(ms, () => resolve(undefined))
  return Promise.race([act, late]).finally(callOff)
}

interface Attempt {
  readonly works: readonly string[]
  readonly trouble?: Omit<PathTrouble, 'is'> & { readonly is: PathTrouble['is'] | 'out of reach' }
  readonly note?: WorkerSeen['note']
}

/** Tells of the path before it looks for a worker, which takes as long as its Lease lasts. */
async function attempt(
  api: Api,
  { kinds, namespace, namespaces }: CheckOptions,
  { clock }: CheckContext,
  tell: (seen: Attempt) => void = () => undefined,
): Promise<Attempt> {
  try {
    const path = await pathThrough(api, { kinds, namespace, name: `tars-admission-check-${randomUUID().slice(0, 8)}` })
    if (path.trouble !== undefined) return path
    tell({ ...path, trouble: UNSEEN })
    const { works, ...rest } = await workerSeen({ look: api.look, clock, namespaces })
    return { ...rest, works: [...path.works, ...(works === undefined ? [] : [works])] }
  } catch (error) {
    if (!(error instanceof Fault && error.retry)) throw error
    return outOfReach(error.message, UNREACHED)
  }
}
const UNSEEN = {
  is: 'broken',
  what: 'no worker was seen to lead in that time',
  remedy: 'let it --wait for longer: a worker may take 15 s to show that it leads',
} as const
const UNREACHED = 'is it the right cluster (--kubeconfig), and is its API server up?'
const SLOW = 'let it --wait for longer: the API server itself waits ten seconds for a webhook that does not answer'

function outOfReach(what: string, remedy: string): Attempt {
  return { works: [], trouble: { is: 'out of reach', what, remedy } }
}

function textOf({ works, trouble, note }: Attempt): string {
  const done = works.map((each) => `ok      ${each}`)
  const noted = note === undefined ? [] : [`note    ${note.what}`, `        ${note.remedy}`]
  if (trouble === undefined) return `${[...done, ...noted, WORKS].join('\n')}\n`
  const { what, remedy, apiMessage } = trouble
  const words = apiMessage === undefined ? [] : [`        the API server says: ${apiMessage}`]
  return `${[...done, `failed  ${what}`, ...words, `        ${remedy}`].join('\n')}\n`
}
const WORKS = 'the whole path works: API server, webhook, answer'

function codeOf({ trouble }: Attempt): ExitCode {
  if (trouble === undefined) return 0
  return trouble.is === 'broken' ? 1 : 3
}
