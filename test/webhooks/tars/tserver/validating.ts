import { expect, it } from 'vitest'
import type { Profile } from '../../../../src/admission/change.ts'
import type { Readers } from '../../../../src/cluster/port.ts'
import { TSERVER } from '../../../../webhooks/tars/tserver/schema.ts'
import { answered, CTRL, VALIDATING, wordsOf } from '../../../support/answerer-parts.ts'
import { aServant, aTServer } from '../../../support/builders/servers.ts'
import { aTTemplate } from '../../../support/builders/templates.ts'
import { readersOf } from '../../../support/fakes/readers.ts'
import { reviewsOf, type Sent } from '../../../support/reviews.ts'

export const { creationOf, updateOf, deletionOf } = reviewsOf(TSERVER)
export const base = aTTemplate()
export const there = readersOf(base)
export const answerTo = async (body: unknown, readers: Readers = there, profile: Profile = 'seed') =>
  wordsOf(await answered(VALIDATING, body, { readers, profile }))
export const onUpdate = (old: unknown, object: unknown) => answerTo(updateOf(old, object))

/** `422 Invalid: path: text (ID)` of each. */
export const refused = (...sentences: readonly string[]) => `422 Invalid: ${sentences.join('; ')}`

export type Server = NonNullable<Parameters<typeof aTServer>[0]>
interface Case {
  readonly name: string
  readonly server: Server
  readonly answer: string
}
/** The same of a new server, in a dry run as well, and of anybody at all. */
export function itSaysOfNew(cases: readonly Case[]) {
  it.each(cases)('$name', async ({ server, answer }) => {
    const object = aTServer(server)
    for (const sent of [{}, { dryRun: true }, { user: CTRL }] satisfies Sent[])
      expect(await answerTo(creationOf(object, sent))).toBe(answer)
    expect(await answerTo(updateOf(object, { ...object, status: undefined }))).toBe('allowed') // it stood there before (CV-8)
  })
}
/** And of an old one that becomes so. */
export function itSays(cases: readonly Case[]) {
  itSaysOfNew(cases)
  it.each(cases)('$name: of an old server as well', async ({ server, answer }) => {
    const old = aTServer({ ...(server.normal && { normal: [] }), servants: [] })
    expect(await onUpdate(old, aTServer(server))).toBe(answer)
  })
}
export const NONE = { abilityAffinity: 'None' }

export const servants = (...names: readonly string[]) => names.map((name, i) => aServant({ name, port: 10_000 + i }))
export const servantsOn = (...ports: readonly number[]) => ports.map((port, i) => aServant({ name: `S${i}Obj`, port }))
