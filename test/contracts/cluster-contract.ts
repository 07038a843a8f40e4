import { beforeEach, describe } from 'vitest'
import { applying } from './cluster/applying.ts'
import { benchOf, type Harness } from './cluster/bench.ts'
import { collecting } from './cluster/collecting.ts'
import { creating } from './cluster/creating.ts'
import { following } from './cluster/following.ts'
import { keeping } from './cluster/keeping.ts'
import { merging } from './cluster/merging.ts'
import { objects } from './cluster/objects.ts'
import { patching } from './cluster/patching.ts'
import { reading } from './cluster/reading.ts'
import { removing } from './cluster/removing.ts'
import { replacing } from './cluster/replacing.ts'
import { serverSideApply } from './cluster/server-side-apply.ts'
import { sharding } from './cluster/sharding.ts'
import { status } from './cluster/status.ts'
import { tryingOut } from './cluster/trying-out.ts'
import { twins } from './cluster/twins.ts'
import { watching } from './cluster/watching.ts'

const FACTS = {
  reading,
  creating,
  replacing,
  patching,
  merging,
  removing,
  'trying out': tryingOut,
  'applying a file': applying,
  'applying on the server': serverSideApply,
  'collecting what an owner leaves': collecting,
  'what is kept of it': keeping,
  'following one object': following,
  'watching all of them': watching,
  'some namespaces alone': sharding,
  'the status': status,
  'what the definition says in CEL': twins,
  'what comes of an object': objects,
} as const

/** What holds for every implementation of the port, be it the real cluster or the one in memory. */
export function clusterContract(name: string, make: () => Promise<Harness>): void {
  let harness: Harness
  beforeEach(async () => {
    harness = await make()
  })
  const bench = benchOf(() => harness)
  for (const [part, facts] of Object.entries(FACTS)) describe(`${name}: ${part}`, () => facts(bench))
}
