import { describe, expect, it } from 'vitest'
import type { Create, Update } from '../../../src/admission/change.ts'
import type { Consequence } from '../../../src/admission/consequence.ts'
import { set } from '../../../src/admission/mutation.ts'
import type { RuleOn } from '../../../src/admission/rule.ts'
import type { Listing } from '../../../src/cluster/kube/cache/listing.ts'
import type { Built, ClusterReader } from '../../../src/cluster/port.ts'
import { resource } from '../../../src/cluster/resource.ts'
import type { Kind, Parts } from '../../../src/kind.ts'
import { type Assessment, assessments } from '../../../src/review/stored.ts'
import { moment, object, text } from '../../../src/schema.ts'
import { answererPartsOf } from '../../support/answerer-parts.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aMark, aRule } from '../../support/builders/gadgets.ts'
import { readerOf, UNREACHABLE } from '../../support/fakes/readers.ts'

const OTHER = { ...GADGET, plural: 'others', kind: 'Other' }
const definition = { description: 'Means nothing.', writers: 'authors' as const, shortNames: [], columns: [] }
type Written = Create<Gadget> | Update<Gadget>
type OnWrite = RuleOn<'write', Written>

/** Of a cluster that holds these gadgets and others, and is out of reach for everything else. */
async function assessed(parts: Partial<Parts<Gadget>>, ...objects: readonly Built[]): Promise<readonly Assessment[]> {
  return assessedBy([aKind({ definition, ...parts })], ...objects)
}
async function assessedBy(kinds: readonly Kind[], ...objects: readonly Built[]): Promise<readonly Assessment[]> {
  const { remotes, profile, settings, identities } = answererPartsOf()
  const survey = {
    kinds,
    listing: listingOf(objects),
    live: UNREACHABLE,
    parts: { remotes, profile, settings, identities },
    asker: { user: 'ann' },
    clock: { now: () => new Date('2026-11-18T12:00:00Z'), tick: () => 0 },
  }
  return Array.fromAsync(assessments(survey))
}

function listingOf(objects: readonly Built[]): Listing {
  const gvrs = [GADGET, OTHER]
  const kindOf = ({ kind }: Built) => gvrs.find((each) => each.kind === kind) ?? GADGET
  return {
    of: ({ kind }) => objects.filter((each) => each.kind === kind),
    reader(isThere, live): ClusterReader {
      const memory = readerOf(...objects.filter((each) => isThere(kindOf(each), each)))
      const known = (kind: string) => (gvrs.some((each) => each.kind === kind) ? memory : live)
      return {
        get: (of, ref) => known(of.kind).get(of, ref),
        list: (of, where) => known(of.kind).list(of, where),
        dryRun: (...asked) => live.dryRun(...asked),
      }
    },
  }
}

/** Born at that second. */
function gadget(name = 'g', second = 0, spec: Partial<Gadget['spec']> = {}): Built {
  const made = aGadget(spec)
  const creationTimestamp = `2026-11-18T12:00:${String(second).padStart(2, '0')}Z`
  const written = { creationTimestamp, uid: `uid-${name}`, resourceVersion: '7' }
  return { ...made, metadata: { ...made.metadata, name, ...written } }
}
const other = (name: string, second: number): Built => ({ ...gadget(name, second), kind: 'Other' })

const rulesOf = (all: readonly Assessment[]) =>
  all.map(({ object: { metadata }, asNew, unchanged }) => ({
    name: metadata.name,
    asNew: asNew.map(({ rule }) => rule),
    unchanged: unchanged.map(({ rule }) => rule),
  }))

describe('what stands against an object', () => {
  it('is excused where it was there before, and not where the rule holds always', async () => {
    const validate = [aRule({ id: 'XX-V1' }), aRule({ id: 'XX-V2', always: true })]
    expect(rulesOf(await assessed({ validate }, gadget('g', 0, { levels: { a: 2 } })))).toEqual([
      { name: 'g', asNew: ['XX-V1', 'XX-V2'], unchanged: ['XX-V2'] },
    ])
  })

  it('may be the refusal of a mutation, beside which the rest is told: what a rule says again, but once', async () => {
    const refuse = { id: 'XX-V1', message: () => 'is impossible', remedy: 'leave it', on: 'write' }
    const mutation = { id: 'XX-M1', says: '', edits: () => ({ refuse, findings: [{ path: 'spec.title' }] }) }
    const again = aRule({ ...refuse, on: 'write', check: () => [{ path: 'spec.title' }] })
    const validate = [again, aRule({ id: 'XX-V2', always: true })]
    const [found] = await assessed({ mutate: [mutation], validate }, gadget('g', 0, { levels: { a: 2 } }))
    expect(found?.unchanged).toMatchObject([
      { rule: 'XX-V1', path: 'spec.title', message: 'is impossible; leave it (XX-V1)' },
      { rule: 'XX-V2' },
    ])
  })

  it('may be the refusal of a mutation beside what does not fit the schema', async () => {
    const refuse = { id: 'XX-V1', message: () => 'is impossible', remedy: 'leave it', on: 'write' }
    const mutation = { id: 'XX-M1', says: '', edits: () => ({ refuse, findings: [{ path: 'spec.owner' }] }) }
    const { title: _, ...spec } = aGadget().spec
    const [found] = await assessed({ mutate: [mutation] }, { ...gadget(), spec })
    expect(found?.asNew).toMatchObject([{ rule: 'XX-V1' }, { rule: 'schema', path: 'spec.title' }])
  })

  it('may be a refusal that even --enforce warn knows, and is told once', async () => {
    const [found] = await assessed({ validate: [aRule({ evenInWarn: true })] }, gadget('g', 0, { levels: { a: 2 } }))
    expect(found?.asNew).toMatchObject([{ rule: 'XX-V1' }])
  })

  it('is told by its rule where the definition carries it too, and so hides no other', async () => {
    const cel = { at: '', holds: '' }
    const validate = [aRule({ id: 'XX-V1', cel }), aRule({ id: 'XX-V2' })]
    const [found] = await assessed({ validate }, gadget('g', 0, { levels: { a: 2 } }))
    expect(found?.asNew).toMatchObject([
      { rule: 'XX-V1', message: '2 is too high; take a lower one (XX-V1)' },
      { rule: 'XX-V2' },
    ])
  })

  it('is not excused by the object itself, which is not there yet', async () => {
    const check: OnWrite['check'] = async ({ next: { metadata } }, cluster) => {
      const found = await cluster.get(GADGET, { namespace: 'demo', name: metadata.name })
      return found === undefined ? [{ path: 'metadata.name' }] : []
    }
    expect(rulesOf(await assessed({ validate: [aRule({ check })] }, gadget()))).toEqual([
      { name: 'g', asNew: ['XX-V1'], unchanged: [] },
    ])
  })

  it('is nothing that came of the object itself, be it of the same second (TD-V3)', async () => {
    const check: OnWrite['check'] = async (_, cluster) => {
      const outcome = await cluster.get(resource(OTHER, object({}, {})), { namespace: 'demo', name: 'made' })
      return outcome === undefined ? [] : [{ path: 'metadata.name' }]
    }
    const validate = [aRule({ check })]
    expect(rulesOf(await assessed({ validate }, gadget('g', 5), other('made', 5)))).toMatchObject([{ asNew: [] }])
    expect(rulesOf(await assessed({ validate }, gadget('g', 5), other('made', 4)))).toMatchObject([
      { asNew: ['XX-V1'] },
    ])
  })
})

describe('what cannot be said', () => {
  const elsewhere = resource({ ...GADGET, plural: 'thirds', kind: 'Third' }, object({}, {}))
  const look: OnWrite['check'] = async (_, cluster) => {
    await cluster.list(elsewhere, { namespace: 'demo' })
    return []
  }

  it('is told with the reason, and what is sure is told all the same', async () => {
    const validate = [aRule({ id: 'XX-V1', check: look }), aRule({ id: 'XX-V2' })]
    const [doubtful, refused] = await assessed({ validate }, gadget('a'), gadget('b', 0, { levels: { x: 2 } }))
    expect(doubtful).toMatchObject({ asNew: [], unknown: 'the cluster is out of reach' })
    expect(refused).toMatchObject({ asNew: [{ rule: 'XX-V2' }] })
  })

  it('does not keep the next from being heard', async () => {
    const check: OnWrite['check'] = ({ next }) => {
      if (next.metadata.name === 'a') throw new Error('a mistake of ours')
      return []
    }
    const found = await assessed({ validate: [aRule({ check })] }, gadget('a'), gadget('b'))
    expect(found.map(({ unknown }) => unknown)).toEqual(['a mistake of ours', undefined])
  })
})

describe('nothing is written', () => {
  it('neither what would follow for other objects, though each is an object that calls for it', async () => {
    const requested: boolean[] = []
    const consequence: Consequence<Gadget> = {
      id: 'XX-S1',
      says: '',
      on: 'write',
      async follow({ dryRun }) {
        requested.push(dryRun)
        return { intents: [aMark('x')], warnings: [] }
      },
    }
    const [found] = await assessed({ consequences: [consequence] }, gadget())
    expect(requested).toEqual([true, true]) // as new, and unchanged
    expect(found).toMatchObject({ asNew: [], unchanged: [] })
    expect(found).not.toHaveProperty('unknown')
  })

  it('nor is any value told of what would be completed', async () => {
    const edits = () => [
      set('/spec/owner', 'a secret'),
      set('/metadata/labels/a.b~1c', 'a secret'),
      set('/metadata/annotations', { 'x/y': 'a secret' }),
      { op: 'remove', path: '/spec/note' } as const,
    ]
    const stored = gadget('g', 0, { note: 'n' })
    const labelled = { ...stored, metadata: { ...stored.metadata, labels: { a: 'b' } } }
    const [found] = await assessed({ mutate: [{ id: 'XX-M1', says: '', edits }] }, labelled)
    expect(found?.completed).toEqual([
      'metadata.annotations[x/y]',
      'metadata.labels[a.b/c]',
      'spec.owner',
      'without spec.note',
    ])
  })

  it('nor the value of what does not fit its schema', async () => {
    const { note: _, ...spec } = { ...aGadget().spec, title: 'HUNTER2: spec.title in body', color: 'HUNTER2', note: '' }
    const [found] = await assessed({}, { ...gadget(), spec })
    expect(found?.asNew.map(({ path }) => path)).toEqual(expect.arrayContaining(['spec.title', 'spec.color']))
    expect(JSON.stringify(found?.asNew)).not.toContain('HUNTER2')
  })

  it('nor that of a moment which is none', async () => {
    const fields = object({ time: moment({ doc: 'Time.' }) }, {})
    const kind: Kind = { ...aKind({ definition }), resource: { ...resource(GADGET, fields) } }
    const [found] = await assessedBy([kind], { ...gadget(), time: 'HUNTER2' })
    const message = 'is no time; write one in the form of RFC 3339, like "2026-03-01T08:00:00Z"'
    expect(found?.asNew).toEqual([{ rule: 'schema', path: 'time', message }])
  })

  it('nor the value of a password', async () => {
    const fields = object({ password: text({ doc: 'Word.', pattern: '^[a-z]{6,}$' }) }, {})
    const accounts = { ...resource(GADGET, fields) }
    const kind: Kind = { ...aKind({ definition }), resource: accounts }
    const [found] = await assessedBy([kind], { ...gadget(), password: 'HUNTER2' })
    expect(found?.asNew).toEqual([
      {
        rule: 'schema',
        path: 'password',
        message: "Invalid value: password in body should match '^[a-z]{6,}$'",
      },
    ])
  })
})

it('asks nothing of kinds that are not ours', async () => {
  expect(await assessedBy([aKind()], gadget())).toEqual([])
})

it('asks of a kind without a door whether its objects fit their schema', async () => {
  const { title: _, ...spec } = aGadget().spec
  const kinds = [aKind({ definition, doors: [] })]
  const found = await assessedBy(kinds, gadget('a'), { ...gadget('b'), spec })
  expect(found.map(({ asNew }) => asNew)).toEqual([
    [],
    [{ rule: 'schema', path: 'spec.title', message: 'Required value' }],
  ])
})
