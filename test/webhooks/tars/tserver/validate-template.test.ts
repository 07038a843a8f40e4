import { describe, expect, it } from 'vitest'
import { answered, VALIDATING } from '../../../support/answerer-parts.ts'
import { aTServer } from '../../../support/builders/servers.ts'
import { aTTemplate } from '../../../support/builders/templates.ts'
import { readerOf, readersOf, UNREACHABLE } from '../../../support/fakes/readers.ts'
import { answerTo, base, creationOf, onUpdate, refused, updateOf } from './validating.ts'

describe('TS-V15 the template of a server exists', () => {
  const absent = refused(
    'spec.tars.template: TTemplate demo/base does not exist; create it first, or name another (TS-V15)',
  )
  it.each([
    { name: 'one that is there passes', server: {}, there: [base], answer: 'allowed' },
    { name: 'one that is not there is refused', server: {}, there: [], answer: absent },
    {
      name: 'one in another namespace does not count',
      server: {},
      there: [aTTemplate({ namespace: 'prod' })],
      answer: absent,
    },
    {
      name: 'one being deleted does not exist any more',
      server: {},
      there: [aTTemplate({ going: true })],
      answer: absent,
    },
    { name: 'a server that is none of tars needs none', server: { normal: [] }, there: [], answer: 'allowed' },
    {
      name: 'one that has no block for it is TS-V5’s business',
      server: { spec: { tars: undefined } },
      there: [],
      answer: refused(
        'spec.tars: required when spec.subType is "tars"; give the block that spec.subType names, and not the other (TS-V5)',
      ),
    },
  ])('$name', async ({ server, there, answer }) => {
    expect(await answerTo(creationOf(aTServer(server)), readersOf(...there))).toBe(answer)
  })

  it('is asked when it changes, and not when it has gone since (CV-8)', async () => {
    const none = readersOf()
    expect(await answerTo(updateOf(aTServer(), aTServer({ template: 'other' })), none)).toMatch('TTemplate demo/other')
    expect(await answerTo(updateOf(aTServer(), aTServer({ k8s: { hostIPC: true } })), none)).toBe('allowed')
  })

  it('a cached one allows, and one that the cache has not seen yet is looked up live (SV-7)', async () => {
    const live = readerOf(base)
    expect(await answerTo(creationOf(aTServer()), { cached: readerOf(base), live: UNREACHABLE })).toBe('allowed')
    expect(await answerTo(creationOf(aTServer()), { cached: readerOf(), live })).toBe('allowed')
    expect(live.reads).toEqual(['get TTemplate demo/base'])
  })

  it('what cannot be looked up is put off (SV-6)', async () => {
    const { response } = await answered(VALIDATING, creationOf(aTServer()), {
      readers: { cached: readerOf(), live: UNREACHABLE },
    })
    expect(response.status).toMatchObject({ code: 503, reason: 'ServiceUnavailable' })
  })

  it('a dry run adds why a template of the same file is not there', async () => {
    const hint = '; in a dry run, as of kubectl diff, what the same file creates is not there'
    expect(await answerTo(creationOf(aTServer(), { dryRun: true }), readersOf())).toBe(
      absent.replace(' (TS-V15)', `${hint} (TS-V15)`),
    )
  })
})

describe('TS-V24 the template fits into the label', () => {
  const answered = (length: number) => {
    const template = 't'.repeat(length)
    const server = aTServer({ template, labels: {} })
    return answerTo(creationOf(server), readersOf(aTTemplate({ name: template })))
  }

  it('63 characters pass', async () => {
    expect(await answered(63)).toBe('allowed')
  })

  it('64 characters are refused', async () => {
    expect(await answered(64)).toBe(
      refused(
        'spec.tars.template: must be at most 63 characters, to fit into label tars.io/Template; give the template a shorter name (TS-V24)',
      ),
    )
  })

  it('nor can an old server take one', async () => {
    expect(await onUpdate(aTServer(), aTServer({ template: 't'.repeat(64) }))).toMatch('(TS-V24)')
  })

  it('an old one may be edited otherwise (CV-8)', async () => {
    const server = (k8s: object) => aTServer({ template: 't'.repeat(64), labels: {}, k8s: { ...k8s } })
    expect(await onUpdate(server({}), server({ hostIPC: true }))).toBe('allowed')
  })
})
