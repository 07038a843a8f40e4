import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { set } from '../../../src/admission/mutation.ts'
import { Fault } from '../../../src/faults.ts'
import type { Tree } from '../../../src/schema.ts'
import { MUTATING, VALIDATING } from '../../support/answerer-parts.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aRule } from '../../support/builders/gadgets.ts'
import { send } from '../../support/http-said.ts'
import { reviewsOf, withRequest } from '../../support/reviews.ts'
import { type Serving, serving } from '../../support/serving.ts'

const SECRET = 'hunter2'
const { creationOf, updateOf, deletionOf } = reviewsOf(GADGET)

/** Secrets wherever an object, its user or its options can have them. */
const spec = { password: SECRET, bcryptPassword: SECRET, tokens: [{ content: SECRET }], content: SECRET, note: SECRET }
const gadget: Tree = {
  ...aGadget(),
  metadata: {
    name: 'g',
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(spec), token: SECRET },
    managedFields: [{ manager: SECRET }],
  },
  spec: { title: 'a gadget', levels: { a: 9 }, ...spec },
  besides: SECRET,
}
const reported: Tree = {
  userInfo: { username: 'ann', uid: SECRET, groups: [SECRET], extra: { token: [SECRET] } },
  options: spec,
}
const reviews = [creationOf(gadget), updateOf(gadget, gadget), deletionOf(gadget)].map((each) =>
  withRequest(each, reported),
)

const leak = (): never => {
  const cause = Object.assign(new Error(SECRET), { code: SECRET, body: SECRET })
  throw Object.assign(new TypeError(`bad ${SECRET}\n    at ${SECRET}`, { cause }), { request: spec, code: SECRET })
}
const unreachable = (): never => {
  throw new Fault('CLUSTER_UNREACHABLE', 'cannot list gadgets', { cause: new Error(SECRET) })
}
const owner = (edits: () => never) => ({ id: 'XX-M1', says: '', edits })
const quietly = {
  id: 'XX-M2',
  says: '',
  edits: ({ next }: { next: object }) => (Object.assign(next, { more: SECRET }) ? [] : []),
}

async function everything(server: Serving, shown: readonly unknown[]): Promise<string> {
  for (let i = 0; i < 10; i += 1) await turn() // the checks that run behind the answers
  return JSON.stringify([shown, server.log.lines, await server.metrics.registry.metrics()])
}

describe('a secret in an object or in an error is nowhere in log, metrics and answers (SC-6, W-14)', () => {
  it.each([
    { name: 'allowed', kind: aKind() },
    { name: 'refused', kind: aKind({ validate: [aRule()] }) },
    { name: 'with a warning', kind: aKind({ validate: [aRule({ effect: 'warn' })] }) },
    { name: 'changed', kind: aKind({ mutate: [{ id: 'XX-M1', says: '', edits: () => [set('/spec/owner', 'ann')] }] }) },
    { name: 'a rule that throws', kind: aKind({ validate: [aRule({ check: leak })] }) },
    { name: 'a mutation that throws', kind: aKind({ mutate: [owner(leak)] }) },
    { name: 'a rule without its look-up', kind: aKind({ validate: [aRule({ check: unreachable })] }) },
    { name: 'a mutation without its look-up', kind: aKind({ mutate: [owner(unreachable)] }) },
    { name: 'a check that fails', kind: aKind({ mutate: [quietly] }) },
  ])('$name', async ({ kind }) => {
    await using server = await serving({ kinds: [kind], logEvery: 1 })
    const shown: unknown[] = []
    for (const path of [MUTATING, VALIDATING]) {
      for (const review of reviews) shown.push(await send(server.origin, { path, body: JSON.stringify(review) }))
    }
    expect(server.log.lines).toHaveLength(6 + (kind.mutations.includes(quietly) ? 2 : 0))
    expect(await everything(server, shown)).not.toContain(SECRET)
  })

  it('nor is the name of a field that is not known, but in the warning to its author (CV-8)', async () => {
    await using server = await serving({ kinds: [aKind()], logEvery: 1 })
    const body = JSON.stringify(creationOf({ ...gadget, [SECRET]: SECRET }))
    expect(JSON.stringify(await send(server.origin, { path: VALIDATING, body }))).toContain(`${SECRET}: a field that`)
    expect(await everything(server, [])).not.toContain(SECRET)
  })

  it('a body that is no review', async () => {
    await using server = await serving()
    const bodies = [
      SECRET,
      JSON.stringify(SECRET),
      JSON.stringify({ password: SECRET }),
      `{"kind":"AdmissionReview",${SECRET}`,
    ]
    const more = [{ uid: { [SECRET]: 1 } }, { operation: SECRET }, { dryRun: SECRET }, { object: SECRET }]
    const odd = more.map((parts) => JSON.stringify(withRequest(creationOf(gadget), parts)))
    const shown: unknown[] = []
    for (const body of [...bodies, ...odd]) shown.push(await send(server.origin, { body }))
    shown.push(await send(server.origin, { path: `/${SECRET}?token=${SECRET}` }))
    shown.push(await send(server.origin, { headers: { 'content-type': SECRET }, body: SECRET }))
    expect(server.log.lines).toHaveLength(10)
    expect(await everything(server, shown)).not.toContain(SECRET)
  })

  const typed: Gadget = aGadget({ note: SECRET })
  it('the query of a review', async () => {
    await using server = await serving({ kinds: [aKind({ validate: [aRule({ check: leak })] })] })
    const shown = [
      await send(server.origin, { path: `${VALIDATING}?timeout=${SECRET}`, body: JSON.stringify(creationOf(typed)) }),
    ]
    expect(await everything(server, shown)).not.toContain(SECRET)
  })
})
