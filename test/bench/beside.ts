import { type Caller, callerAt, OUR_PATHS, type Reviewer } from './caller.ts'
import { contender } from './child.ts'
import { type Pace, type Peer, type Run, race } from './race.ts'
import type { Setting } from './setting.ts'

interface Case {
  readonly calls: (caller: Caller) => Promise<readonly Buffer[]>
}
interface Theirs {
  readonly peer: Peer
  readonly paths: Omit<Reviewer, 'port'>
}
interface Raced<C> {
  readonly of: C
  readonly us: readonly Run[]
  readonly them: readonly Run[]
}

/** Ours and another server take turns at each case. Both are stopped in the end. */
export async function besideOurs<C extends Case>(
  { peer, paths }: Theirs,
  cases: readonly C[],
  { folder, ca }: Setting,
  pace: Pace,
): Promise<readonly Raced<C>[]> {
  const ours = await contender('./our-server.ts', folder, '1000')
  const callers = {
    ours: callerAt({ port: ours.port, ...OUR_PATHS }, ca),
    theirs: callerAt({ port: peer.port, ...paths }, ca),
  }
  const raced: Raced<C>[] = []
  try {
    for (const of of cases) {
      const runners = [
        { server: peer, requests: await of.calls(callers.theirs) },
        { server: ours, requests: await of.calls(callers.ours) },
      ]
      const [them = [], us = []] = await race(runners, pace)
      raced.push({ of, us, them })
    }
  } finally {
    for (const caller of Object.values(callers)) caller.close()
    for (const each of [ours, peer]) await each.stop()
  }
  return raced
}
