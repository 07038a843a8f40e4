import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { set } from '../../../src/admission/mutation.ts'
import type { Kind } from '../../../src/kind.ts'
import { isTree, type Tree } from '../../../src/schema.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { MUTATING, VALIDATING } from '../../support/answerer-parts.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aRule } from '../../support/builders/gadgets.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { readersOf, UNREACHABLE } from '../../support/fakes/readers.ts'
import { reviewsOf, UID } from '../../support/reviews.ts'
import { type Serving, serving } from '../../support/serving.ts'

const { creationOf, updateOf, deletionOf } = reviewsOf(GADGET)
const owner = { id: 'XX-M1', says: '', edits: () => [set('/spec/owner', 'ann')] }
const bad = (): never => {
  throw new Error()
}
const needy = aRule({ check: (_, cluster) => cluster.list(GADGET, { namespace: 'demo' }).then(() => []) })
const good = aGadget()
const owned = aGadget({ owner: 'ann' })
const high = aGadget({ levels: { a: 9 } })

interface Case {
  readonly name: string
  readonly kind: Kind
  readonly path: string
  readonly review: Tree
}
const CASES: readonly Case[] = [
  { name: 'a patch', kind: aKind({ mutate: [owner] }), path: MUTATING, review: creationOf(good) },
  { name: 'a patch on UPDATE', kind: aKind({ mutate: [owner] }), path: MUTATING, review: updateOf(good, good) },
  { name: 'nothing to change', kind: aKind({ mutate: [owner] }), path: MUTATING, review: creationOf(owned) },
  { name: 'DELETE at a mutating door', kind: aKind({ mutate: [owner] }), path: MUTATING, review: deletionOf(good) },
  {
    name: 'an object of the wrong shape',
    kind: aKind({ mutate: [owner] }),
    path: MUTATING,
    review: creationOf({ spec: [] }),
  },
  {
    name: 'a mutation that throws',
    kind: aKind({ mutate: [{ ...owner, edits: bad }] }),
    path: MUTATING,
    review: creationOf(good),
  },
  { name: 'nothing to refuse', kind: aKind({ validate: [aRule()] }), path: VALIDATING, review: creationOf(good) },
  { name: 'a refusal', kind: aKind({ validate: [aRule()] }), path: VALIDATING, review: creationOf(high) },
  {
    name: 'a warning',
    kind: aKind({ validate: [aRule({ effect: 'warn' })] }),
    path: VALIDATING,
    review: creationOf(high),
  },
  { name: 'DELETE', kind: aKind({ validate: [aRule()] }), path: VALIDATING, review: deletionOf(high) },
  {
    name: 'a rule that throws',
    kind: aKind({ validate: [aRule({ check: bad })] }),
    path: VALIDATING,
    review: creationOf(good),
  },
  { name: 'what cannot be looked up', kind: aKind({ validate: [needy] }), path: VALIDATING, review: creationOf(good) },
  { name: 'no door', kind: aKind(), path: VALIDATING, review: reviewsOf(TTEMPLATE).creationOf(good) },
]

describe('an answer is what the API server takes (AP-7)', () => {
  it.each(CASES)('$name', async ({ kind, path, review }) => {
    await using server = await serving({ kinds: [kind], readers: { cached: UNREACHABLE, live: UNREACHABLE } })
    const webhook = server.webhook(path)
    const { code, body } = await server.caller.post(webhook, JSON.stringify(review))
    const { response, ...rest } = JSON.parse(body)
    expect({ code, ...rest }).toEqual({ code: 200, apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' })
    expect(response).toMatchObject({ uid: UID, allowed: expect.any(Boolean) })
    expect('patchType' in response).toBe('patch' in response)
    if (path === VALIDATING || isDelete(review)) expect(response).not.toHaveProperty('patch')
    if ('patch' in response) expect(response.patchType).toBe('JSONPatch')
    const outcome = await server.caller.call(webhook, review)
    expect(outcome.refused?.message ?? '').not.toMatch(/failed calling webhook|Internal error/)
  })

  it('and its patch, applied there, gives the object that the mutations made', async () => {
    await using server = await serving({ kinds: [aKind({ mutate: [owner] })] })
    const { object } = await server.caller.call(server.webhook(MUTATING), creationOf(good))
    expect(object).toEqual(owned)
  })

  function isDelete({ request }: Tree): boolean {
    return isTree(request) && request.operation === 'DELETE'
  }
})

describe('one write', () => {
  it('goes through both doors: labelled by the one, accepted by the other', async () => {
    await using server = await serving({ readers: readersOf(aTTemplate()) })
    const webhooks = [server.webhook(MUTATING), server.webhook(VALIDATING)]
    const child = aTTemplate({ name: 'child', parent: 'base', labels: {} })
    const outcome = await server.caller.admit(webhooks, reviewsOf(TTEMPLATE).creationOf(child))
    expect(outcome).toEqual({
      object: { ...child, metadata: expect.objectContaining({ labels: { 'tars.io/Parent': 'base' } }) },
      warnings: [],
    })
  })
})

/** What no mutation may do: edit the object without saying so, or come to no end. */
const PLANTED = {
  behind: { id: 'XX-M2', says: '', edits: ({ next }: { next: unknown }) => quietly(next) },
  restless: { id: 'XX-M3', says: '', edits: () => [set('/spec/owner', randomUUID())] },
}
function quietly(next: unknown) {
  if (isTree(next) && isTree(next.spec)) next.spec.note = 'changed'
  return []
}

describe('every answer of a mutating door is checked (SV-8)', () => {
  const CHECKS = (result: string) => `tars_admission_self_checks_total{kind="Gadget",result="${result}"}`

  it.each([
    { name: 'one that holds', mutate: [owner], result: 'holds' },
    { name: 'a mutation behind the back of its patch', mutate: [owner, PLANTED.behind], result: 'patch differs' },
    { name: 'one that has no end', mutate: [PLANTED.restless], result: 'not idempotent' },
  ])('$name is counted: $result', async ({ mutate, result }) => {
    await using server = await serving({ kinds: [aKind({ mutate })] })
    await server.caller.call(server.webhook(MUTATING), creationOf(good))
    await checked(server)
    expect(await server.counted(CHECKS(result))).toBe(1)
    const failed = server.log.lines.filter(({ msg }) => msg === 'self-check failed')
    expect(failed).toMatchObject(
      result === 'holds' ? [] : [{ uid: UID, ref: '[ref 29d991ef]', kind: 'Gadget', result }],
    )
  })

  it('but a door that is not called again may go on changing (W-8)', async () => {
    const kind = aKind({ mutate: [PLANTED.restless] })
    const doors = kind.doors.map(({ reinvocation: _, ...door }) => door)
    await using server = await serving({ kinds: [{ ...kind, doors }] })
    await server.caller.call(server.webhook(MUTATING), creationOf(good))
    await checked(server)
    expect(await server.counted(CHECKS('holds'))).toBe(1)
  })

  it('and one so large that the check would hold up everybody is not (PF-12)', async () => {
    await using server = await serving({ kinds: [aKind({ mutate: [PLANTED.restless] })] })
    const large: Gadget = aGadget({ note: 'x'.repeat(300_000) })
    await server.caller.call(server.webhook(MUTATING), creationOf(large))
    await server.caller.call(server.webhook(MUTATING), creationOf(good))
    await checked(server)
    expect(await server.counted(CHECKS('not idempotent'))).toBe(1)
  })

  /** Checks run after the answer, in the order of their reviews. */
  async function checked(server: Serving): Promise<void> {
    while (!/self_checks_total\{/.test(await server.metrics.registry.metrics())) await new Promise(setImmediate)
  }
})

describe('the reviews that real API servers sent, over TLS on pooled connections', () => {
  const FOLDER = new URL('../../fixtures/reviews/', import.meta.url)
  const files = readdirSync(FOLDER).filter((file) => /\.(mutate|validate)\./.test(file))
  let server: Serving
  beforeAll(async () => {
    server = await serving({ readers: readersOf(aTTemplate({ name: 'tars.cpp', namespace: 'tars-dev' })) })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it('are 132, and each is answered in a form that an API server accepts', async () => {
    const outcomes = await Promise.all(
      files.map((file) => {
        const review: unknown = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
        return server.caller.call(server.webhook(pathOf(file)), isTree(review) ? review : {})
      }),
    )
    expect(outcomes).toHaveLength(132)
    // No webhook mutated where these were recorded: three hold a clear password, some have names that are not theirs, and
    // one deactivates by hand what has a podSeq beyond its pattern (CV-8).
    const ids = outcomes.flatMap(({ refused }) => refused?.message.match(/\((T\S+)\)$/)?.[1] ?? refused?.message ?? [])
    expect(ids.sort()).toEqual(['TA-V1', 'TA-V1', 'TA-V1', 'TC-V8', 'TS-V6', 'TS-V6', 'TS-V6'])
    expect(outcomes.flatMap(({ passedOver }) => passedOver ?? [])).toEqual([])
  })

  it('and once more, without a new connection but for what the pool does not keep', async () => {
    const before = server.caller.connections
    for (const file of files)
      await server.caller.post(server.webhook(pathOf(file)), readFileSync(new URL(file, FOLDER), 'utf8'))
    expect(server.caller.connections).toBe(before)
  })

  function pathOf(file: string): string {
    return file.includes('.mutate.') ? MUTATING : VALIDATING
  }
})
