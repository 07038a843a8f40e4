import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Body, readBody } from '../../../../src/http/intake/body.ts'
import { Shed } from '../../../../src/http/intake/gate.ts'
import { Room } from '../../../../src/http/intake/room.ts'
import { BYTE } from '../../../../src/http/intake/weight.ts'
import { TCONFIG } from '../../../../webhooks/tars/tconfig/schema.ts'
import { aTConfig } from '../../../support/builders/configs.ts'
import { ManualClock } from '../../../support/fakes/clock.ts'
import { send } from '../../../support/http-said.ts'
import { reviewsOf } from '../../../support/reviews.ts'
import { serving } from '../../../support/serving.ts'

const PART = 'x'.repeat(100)
let clock: ManualClock
let room: Room
beforeEach(() => {
  clock = new ManualClock()
  room = new Room(3 * PART.length * BYTE, clock.tick)
})

/** A body that comes part by part, and all that was reported of it. */
function reading() {
  const request = new IncomingMessage(new Socket())
  const reported: (Error | Body | null | undefined)[] = []
  readBody(request, room, clock.tick(), (error, body) => void reported.push(error ?? body))
  return {
    reported,
    async comes(...parts: readonly (string | null)[]) {
      for (const part of parts) request.push(part)
      await new Promise(setImmediate)
    },
  }
}
const areFree = (parts: number) => room.has(parts * PART.length * BYTE)

describe('a body that comes slowly when room is short', () => {
  it('is sent away for another, and leaves its room', async () => {
    const slow = reading()
    await slow.comes(PART, PART)
    clock.advance(1_001)
    const other = reading()
    await other.comes(PART, PART, null)
    expect(slow.reported).toEqual([expect.any(Shed)])
    expect(other.reported).toMatchObject([{ bytes: 200 }])
    expect([areFree(1), areFree(2)]).toEqual([true, false])
  })

  it('is sent away by itself, once, and leaves its room', async () => {
    const [slow, held] = [reading(), reading()]
    await slow.comes(PART)
    await held.comes(PART, PART, null)
    clock.advance(1_001)
    await slow.comes(PART)
    await slow.comes(PART)
    expect(slow.reported).toEqual([expect.any(Shed)])
    expect([areFree(1), areFree(2)]).toEqual([true, false])
  })

  it('stays when all of it has come', async () => {
    const whole = reading()
    await whole.comes(PART, PART, null)
    clock.advance(1_001)
    const other = reading()
    await other.comes(PART, PART)
    expect(whole.reported).toMatchObject([{ bytes: 200 }])
    expect(other.reported).toEqual([expect.any(Shed)])
  })
})

describe('the largest body (W-16)', () => {
  const { updateOf } = reviewsOf(TCONFIG)
  const content = (character: string) => character.repeat(1_560_000) // as the schema has it

  it('an update of a TConfig carries old and new content, and fits', async () => {
    await using server = await serving()
    const [old, next] = ['ä', 'ö'].map((character) => aTConfig({ content: content(character) }))
    const { code, body } = await send(server.origin, { body: JSON.stringify(updateOf(old, next)) })
    expect({ code, body }).toMatchObject({ code: 200, body: { response: { allowed: false, status: { code: 422 } } } })
    expect(JSON.stringify(body)).toContain('(TC-V6)')
  })
})
