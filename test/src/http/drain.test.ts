import { Agent } from 'node:https'
import { describe, expect, it } from 'vitest'
import { Drain } from '../../../src/http/drain.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aRule } from '../../support/builders/gadgets.ts'
import { ManualClock } from '../../support/fakes/clock.ts'
import { send } from '../../support/http-said.ts'
import { reviewsOf, UID } from '../../support/reviews.ts'
import { serving } from '../../support/serving.ts'

const body = JSON.stringify(reviewsOf(GADGET).creationOf(aGadget()))
const kinds = [aKind()]

describe('a server that drains', () => {
  it('answers on standing and on new connections, and has each closed with its answer (SV-10)', async () => {
    const clock = new ManualClock()
    const drain = new Drain(clock)
    await using server = await serving({ kinds, drain })
    const agent = new Agent({ keepAlive: true })
    expect((await send(server.origin, { body, agent })).headers.connection).toBe('keep-alive')
    const drained = drain.last(10_000)
    for (const each of [agent, new Agent({ keepAlive: true })]) {
      const answer = await send(server.origin, { body, agent: each })
      expect(answer).toMatchObject({ code: 200, body: { response: { uid: UID } }, headers: { connection: 'close' } })
      expect(Object.keys(each.freeSockets)).toEqual([])
    }
    await clock.pass(10_000)
    await drained
  })

  it('says so to those who had asked before, too', async () => {
    const [began, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<never[]>()]
    const slow = aRule({
      check: () => {
        began.resolve()
        return answered.promise
      },
    })
    const drain = new Drain(new ManualClock())
    await using server = await serving({ kinds: [aKind({ validate: [slow] })], drain })
    const requested = send(server.origin, { body, agent: new Agent({ keepAlive: true }) })
    await began.promise
    void drain.last(10_000)
    answered.resolve([])
    expect(await requested).toMatchObject({ code: 200, headers: { connection: 'close' } })
  })

  it('says so with every other answer as well', async () => {
    const drain = new Drain(new ManualClock())
    await using server = await serving({ kinds, drain })
    void drain.last(10_000)
    const answer = await send(server.origin, { path: '/nowhere', body, agent: new Agent({ keepAlive: true }) })
    expect(answer).toMatchObject({ code: 404, headers: { connection: 'close' } })
  })

  it('goes on for just the time it was told', async () => {
    const clock = new ManualClock()
    const drain = new Drain(clock)
    await using server = await serving({ kinds, drain })
    let isOver = false
    const drained = drain.last(10_000).then(() => {
      isOver = true
    })
    clock.advance(9_999)
    await send(server.origin, { body })
    expect(isOver).toBe(false)
    clock.advance(1)
    await drained
  })
})
