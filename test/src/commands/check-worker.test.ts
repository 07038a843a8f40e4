import { describe, expect, it } from 'vitest'
import type { Inquired } from '../../../src/cluster/kube/inquiry.ts'
import { checkPath } from '../../../src/commands/check.ts'
import type { Api } from '../../../src/diagnosis/path.ts'
import { isTree } from '../../../src/schema.ts'
import { ManualClock } from '../../support/fakes/clock.ts'
import { kinds } from '../../support/kinds.ts'

const DENIAL = 'admission webhook "validating.tars.io" denied the request: spec.parent: required (TT-V1)'
/** A path that works: only what is looked at differs. */
function apiOf(look: Api['look']): Api {
  const isGood = (object: object) => 'spec' in object && isTree(object.spec) && object.spec.parent !== ''
  return {
    tryOut: async (_of, _namespace, object) =>
      isGood(object)
        ? { object: { ...object, metadata: { name: 'x', labels: {} } }, warning: '' }
        : { code: 422, reason: 'Invalid', message: DENIAL },
    look,
    ready: async () => 1,
  }
}

interface There {
  readonly leases?: readonly Inquired[]
  readonly deployment?: Inquired
  readonly home?: string
}
const there = (spec: object = {}): Inquired => ({ metadata: { name: 'x' }, spec })
const held = (holderIdentity: string, second = 0) =>
  there({ holderIdentity, renewTime: `2026-11-19T12:00:0${second}.000000Z`, leaseDurationSeconds: 15 })

/** A Lease is looked at again and again; the last of them stays. */
function looking({
  leases = ['absent'],
  deployment = 'absent',
  home,
}: There): Api['look'] & { readonly asked: string[] } {
  const asked: string[] = []
  const left = [...leases]
  const service = { namespace: home }
  const look: Api['look'] = async ({ kind }, { namespace, name }) => {
    asked.push(`${kind} ${namespace}/${name}`)
    if (kind === 'Deployment') return deployment
    if (kind !== 'Lease') return { metadata: { name: 'x' }, webhooks: [{ clientConfig: { service } }] }
    return (left.length > 1 ? left.shift() : left[0]) ?? 'absent'
  }
  return Object.assign(look, { asked })
}

interface Asked {
  readonly namespaces?: readonly string[]
  readonly wait?: number
}
async function checked(look: Api['look'], seconds: number, { namespaces = [], wait = 0 }: Asked = {}) {
  const clock = new ManualClock()
  const shown: string[] = []
  const world = { out: (text: string) => void shown.push(text), err: () => undefined, clock }
  const passing = async () => {
    for (let second = 0; second < seconds; second += 1) await clock.pass(1_000)
  }
  const [code] = await Promise.all([
    checkPath(apiOf(look), { kinds, namespace: 'shop', namespaces, wait }, world),
    passing(),
  ])
  return { code, shown: shown.join('') }
}
const PLACE = 'tars-system/tars-admission-worker'

describe('check says whether a worker leads', () => {
  it('by a Lease that changes while it looks, whatever its times say', async () => {
    const { code, shown } = await checked(looking({ leases: [held('a'), held('a'), held('a'), held('a', 2)] }), 2)
    expect(code).toBe(0)
    expect(shown).toContain(`ok      a worker leads: a renews Lease ${PLACE}\n`)
  })
  it('by a holder that comes while it looks', async () => {
    const { shown } = await checked(looking({ leases: ['absent', 'absent', held('b')], deployment: there() }), 1)
    expect(shown).toContain('a worker leads: b renews')
  })
  it('not by a Lease that was released, or that nobody renews: then it fails, with a remedy', async () => {
    for (const leases of [[held('a')], [held('a'), held('a'), held('', 3)], ['absent'] as const]) {
      const { code, shown } = await checked(looking({ leases, deployment: there() }), 15)
      expect(code).toBe(1)
      expect(shown).toContain(`failed  no worker leads: nobody has renewed Lease ${PLACE} for 15 s\n`)
      expect(shown).toContain('kubectl -n tars-system get pods and kubectl logs say why')
    }
  })
  it('in the namespace to which the webhooks lead', async () => {
    const look = looking({ home: 'elsewhere' })
    await checked(look, 0)
    expect(look.asked.slice(-2)).toEqual([
      'Lease elsewhere/tars-admission-worker',
      'Deployment elsewhere/tars-admission-worker',
    ])
  })
})

it('WR-7 the worker of some namespaces has a Lease of its own, whatever their order', async () => {
  const name = 'tars-admission-worker-1eb7c54d'
  for (const namespaces of [
    ['a', 'b'],
    ['b', 'a', 'b'],
  ]) {
    const look = looking({ leases: [held('a'), held('a'), held('a', 2)], deployment: there() })
    const { code, shown } = await checked(look, 1, { namespaces })
    expect({ code, shown }).toEqual({ code: 0, shown: expect.stringContaining(`a renews Lease tars-system/${name}\n`) })
    expect(look.asked).toContain(`Lease tars-system/${name}`)
  }
})

describe('check does not fail an installation without a worker', () => {
  it.each([
    { name: 'none was ever there', there: {}, seconds: 0, says: 'no worker is installed' },
    {
      name: 'it was taken away',
      there: { leases: [held('a')] },
      seconds: 15,
      says: `no worker leads: nobody has renewed Lease ${PLACE} for 15 s, and there is no Deployment tars-admission-worker`,
    },
    {
      name: 'there is no right to look',
      there: { leases: ['barred'] as const },
      seconds: 0,
      says: `you may not read Lease ${PLACE}, so it is not known whether a worker leads`,
    },
  ])('$name', async ({ there, seconds, says }) => {
    const { code, shown } = await checked(looking(there), seconds)
    expect({ code, shown }).toEqual({ code: 0, shown: expect.stringContaining(`note    ${says}\n`) })
    expect(shown).toMatch(/the whole path works: API server, webhook, answer\n$/)
  })
})

it('--wait that is over before the Lease is says so', async () => {
  const clock = new ManualClock()
  const shown: string[] = []
  const world = { out: (text: string) => void shown.push(text), err: () => undefined, clock }
  const api = apiOf(looking({ leases: [held('a')], deployment: there() }))
  const check = checkPath(api, { kinds, namespace: 'shop', namespaces: [], wait: 3 }, world)
  for (let second = 0; second < 3; second += 1) await clock.pass(1_000)
  expect(await check).toBe(1)
  expect(shown.join('')).toContain('failed  no worker was seen to lead in that time\n')
})
