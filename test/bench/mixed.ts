import type { Built } from '../../src/cluster/port.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import type { Caller } from './caller.ts'
import { account, config, server, template } from './objects.ts'
import { change, creation, deletion } from './reviews.ts'

/** Most objects are small, as in a cluster. */
const FILLINGS = [500, 500, 500, 1_000, 2_000, 4_000, 8_000, 30_000] // twice so in a change
const HASHED = { bcryptPassword: `$2a$10$${'a'.repeat(53)}`, activated: true }

/**
 * What comes of so many authors of all kinds: each creates, changes and deletes. The live look-ups of a TConfig find none
 * that would have to be marked, and no TAccount has a password in clear.
 */
export async function mixedCalls(caller: Caller, authors: number): Promise<readonly Buffer[]> {
  const calls: Buffer[] = []
  for (let i = 0; i < authors; i += 1)
    for (const review of await reviewsOf(caller, i)) calls.push(...(await caller.calls(review)))
  return calls
}

async function reviewsOf(caller: Caller, i: number): Promise<readonly Tree[]> {
  const filling = FILLINGS[i % FILLINGS.length] ?? 0
  const objects = {
    server: server(`demo-mixed${i}`, filling),
    config: config(`mixed-${i}`, { program: `Mixed${i}`, filling }),
    former: config(`former-${i}`, { program: `Mixed${i}`, filling, activated: false }),
    template: template(`mixed-${i}`, 'root', filling),
    account: account(`mixed${i}`, HASHED),
  }
  const there = {
    server: await caller.store(objects.server),
    config: await caller.store(objects.config),
    former: await caller.store(objects.former),
    template: await caller.store(objects.template),
    account: await caller.store(objects.account),
  }
  return [
    ...[creation(objects.server), change(there.server, touched(there.server))],
    ...[creation(objects.config), change(there.config, touched(there.config)), deletion(there.former)],
    ...[creation(objects.template), change(there.template, touched(there.template)), deletion(there.template)],
    ...[creation(objects.account), change(there.account, touched(there.account))],
  ]
}

/** Edited by somebody who keeps to the rules: an annotation came. */
function touched({ metadata, ...body }: Built): Built {
  const annotations = isTree(metadata.annotations) ? metadata.annotations : {}
  return { ...body, metadata: { ...metadata, annotations: { ...annotations, 'example.com/touched': 'yes' } } }
}
