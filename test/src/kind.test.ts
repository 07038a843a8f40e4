import { describe, expect, it } from 'vitest'
import type { Exempt } from '../../src/admission/change.ts'
import type { Mutation } from '../../src/admission/mutation.ts'
import { set } from '../../src/admission/mutation.ts'
import { GADGET, type Gadget } from '../support/builders/gadget.ts'
import { aGadget, aKind, aRule, sent, TWINS } from '../support/builders/gadgets.ts'
import { readersOf } from '../support/fakes/readers.ts'
import { quickPasswords } from '../support/passwords.ts'

const none = readersOf()
const MEANS = { passwords: quickPasswords }
const owned: Mutation<Gadget> = { id: 'XX-M1', says: 'sets the owner', edits: () => [set('/spec/owner', 'ann')] }

describe('a kind', () => {
  const words = { resource: GADGET, definition: undefined, reads: [], mutations: [], rules: [] }

  it('needs no more than a resource and doors', () => {
    expect({ definition: undefined, ...aKind() }).toMatchObject(words)
  })

  it('does not mutate for those whom a mutation does not bind', async () => {
    const kind = aKind({ mutate: [{ ...owned, exempt: ['CTRL'] }] })
    const by = (name: string, among: readonly Exempt[]) =>
      kind.mutate(sent('CREATE', { object: aGadget(), user: { name, among } }), none, MEANS)
    expect((await by('tars-controller', ['CTRL'])).patch).toEqual([])
    expect((await by('ann', [])).patch).toEqual([set('/spec/owner', 'ann')])
  })

  it('shows its parts', () => {
    const definition = { description: 'A gadget.', writers: 'authors' as const, shortNames: ['g'], columns: [] }
    const reads = [{ resource: GADGET, asks: ['get'] as const }]
    const kind = aKind({ definition, reads, mutate: [owned], validate: [aRule()] })
    expect(kind).toMatchObject({ definition, reads })
    expect(kind.mutations.map(({ id, says }) => [id, says])).toEqual([['XX-M1', 'sets the owner']])
    expect(kind.rules.map(({ id }) => id)).toEqual(['XX-V1'])
  })

  it('without mutations and rules has nothing to say', async () => {
    const nothing = { patch: [], violations: [], warnings: [], intents: [] }
    expect(await aKind().mutate(sent('CREATE', { object: aGadget() }), none, MEANS)).toEqual(nothing)
    expect(await aKind().validate(sent('CREATE', { object: aGadget() }), none)).toEqual(nothing)
  })
})

describe('what the twins in CEL say (CV-1)', () => {
  const kind = aKind({ validate: [...TWINS, aRule()] })
  const shown = (next: unknown, prev?: unknown) =>
    kind.identity(next, prev).map(({ rule, path, value }) => `${rule.id} ${path} ${value}`)
  const made = (maker: string, spec: Partial<Gadget['spec']> = {}) => aGadget({ maker, ...spec })

  it.each([
    { name: 'a new object, by what is said of new ones', next: made('Ann'), found: ['GX-V2 metadata.name ann'] },
    { name: 'a new object that fits', next: made('G'), found: [] },
    {
      name: 'a change, by what is said of changes',
      next: made('Eve'),
      prev: made('Ann'),
      found: ['GX-V1 spec.maker Eve'],
    },
    { name: 'a change that leaves it', next: made('Ann'), prev: made('Ann'), found: [] },
    { name: 'a field that was not there', next: made('Eve'), prev: aGadget(), found: [] },
    { name: 'a field that is not there any more', next: aGadget(), prev: made('Eve'), found: [] },
    { name: 'rules without a twin are not asked', next: aGadget({ levels: { a: 9 } }), found: [] },
    {
      name: 'what is beyond a limit is asked all the same',
      next: made('Ann', { count: 99, motto: 'A' }),
      found: ['GX-V2 metadata.name ann'],
    },
    { name: 'what is of a wrong type is not', next: { ...made('Ann'), purpose: 7 }, found: [] },
    { name: 'nor where it was before', next: made('Eve'), prev: { ...made('Ann'), purpose: 7 }, found: [] },
    { name: 'nor what lacks a field', next: { metadata: { name: 'g' }, spec: { maker: 'Ann' } }, found: [] },
  ] as const)('$name', ({ next, prev, found }: { next: unknown; prev?: unknown; found: readonly string[] }) => {
    expect(shown(next, prev)).toEqual(found)
  })

  it('counts on an update where its field is another: the API server lets stay what stays', () => {
    const short = { ...aRule({ check: ({ next }) => [{ path: 'spec.owner', value: next.spec.owner ?? '' }] }) }
    const kind = aKind({ validate: [{ ...short, cel: { at: 'spec.owner', holds: 'self.size() < 2' } }] })
    const [ann, eve] = [aGadget({ owner: 'ann' }), aGadget({ owner: 'eve' })]
    const found = (next: Gadget, prev?: Gadget) => kind.identity(next, prev).length
    expect([found(ann), found(eve, ann), found(ann, ann), found(ann, aGadget()), found(aGadget(), ann)]).toEqual([
      ...[1, 1, 0, 1, 0],
    ])
  })

  it('rests on no look-up', () => {
    const looksUp = aRule({
      async check({ namespace }, cluster) {
        const [found, all] = [cluster.get(GADGET, { namespace, name: 'g' }), cluster.list(GADGET, { namespace })]
        return (await found) === undefined && (await all).length === 0 ? [] : [{ path: 'spec.owner' }]
      },
    })
    const looking = { ...looksUp, cel: { at: '', holds: 'true' } }
    expect(() => aKind({ validate: [looking] }).identity(aGadget())).toThrow('XX-V1 looks something up')
  })
})
