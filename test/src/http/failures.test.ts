import { Agent } from 'node:https'
import { describe, expect, it } from 'vitest'
import type { Kind } from '../../../src/kind.ts'
import { MUTATING, VALIDATING } from '../../support/answerer-parts.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aRule } from '../../support/builders/gadgets.ts'
import { send } from '../../support/http-said.ts'
import { reviewsOf, UID } from '../../support/reviews.ts'
import { serving } from '../../support/serving.ts'

const SECRET = 'hunter2'
const bad = (): never => {
  throw new RangeError(`cannot read ${SECRET}\n    at ${SECRET}`)
}
const review = reviewsOf(GADGET).creationOf(aGadget())
const MESSAGE = 'tars-admission failed on this Gadget; its log says why. [ref 29d991ef]'

describe('a kind that throws (SV-3)', () => {
  it.each<{ name: string; path: string; kind: Kind }>([
    { name: 'a rule at once', path: VALIDATING, kind: aKind({ validate: [aRule({ check: bad })] }) },
    { name: 'a rule later', path: VALIDATING, kind: aKind({ validate: [aRule({ check: async () => bad() })] }) },
    { name: 'a mutation', path: MUTATING, kind: aKind({ mutate: [{ id: 'XX-M1', says: '', edits: bad }] }) },
  ])('$name: answered under the uid of its own request, with a 500 that says nothing of the inside', async (thrown) => {
    await using server = await serving({ kinds: [thrown.kind] })
    const { code, body } = await send(server.origin, { path: thrown.path, body: JSON.stringify(review) })
    expect({ code, response: body.response }).toEqual({
      code: 200,
      response: {
        uid: UID,
        allowed: false,
        status: {
          code: 500,
          reason: 'InternalError',
          message: MESSAGE,
          details: { group: 'test.tars.io', kind: 'Gadget', name: 'g' },
        },
      },
    })
  })

  it('is counted by kind and class, and whoever has the ref finds it in the log', async () => {
    await using server = await serving({ kinds: [aKind({ validate: [aRule({ check: bad })] })] })
    const { refused } = await server.caller.call(server.webhook(VALIDATING), review)
    expect(refused?.message).toBe(`admission webhook "validating.test" denied the request: ${MESSAGE}`)
    const ref = /\[ref \w{8}\]/.exec(refused?.message ?? '')?.[0]
    const lines = server.log.lines.filter((line) => line.ref === ref)
    expect(lines).toMatchObject([
      {
        uid: UID,
        kind: 'Gadget',
        result: 'failed',
        allowed: false,
        err: { class: 'RangeError' },
        msg: 'handler failed',
      },
    ])
    expect(await server.counted('tars_admission_handler_errors_total{kind="Gadget",class="RangeError"}')).toBe(1)
    expect(JSON.stringify(lines)).toContain('failures.test.ts')
    expect(JSON.stringify(lines)).not.toContain(SECRET)
  })

  it('even when it throws nothing', async () => {
    const nothing = () => Promise.reject(undefined)
    await using server = await serving({ kinds: [aKind({ validate: [aRule({ check: nothing })] })] })
    const { refused } = await server.caller.call(server.webhook(VALIDATING), review)
    expect(refused?.code).toBe(500)
    expect(await server.counted('tars_admission_handler_errors_total{kind="Gadget",class="undefined"}')).toBe(1)
  })

  it('leaves its connection alone', async () => {
    await using server = await serving({ kinds: [aKind({ validate: [aRule({ check: bad })] })] })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let i = 0; i < 3; i += 1) await send(server.origin, { body: JSON.stringify(review), agent })
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(1)
    agent.destroy()
  })
})

describe('what goes wrong behind an answer', () => {
  it('changes nothing of it', async () => {
    await using server = await serving({ kinds: [aKind()] })
    server.metrics.reviews.observe = bad
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let i = 0; i < 2; i += 1) {
      const { code, body } = await send(server.origin, { body: JSON.stringify(review), agent })
      expect({ code, response: body.response }).toEqual({ code: 200, response: { uid: UID, allowed: true } })
    }
    agent.destroy()
  })
})
