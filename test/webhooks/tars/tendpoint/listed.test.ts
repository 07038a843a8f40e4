import { describe, expect, it } from 'vitest'
import { podFrom } from '../../../../webhooks/tars/pods.ts'
import { listedOf } from '../../../../webhooks/tars/tendpoint/listed.ts'
import { plan } from '../../../../webhooks/tars/tendpoint/reconcile.ts'
import { TENDPOINT } from '../../../../webhooks/tars/tendpoint/schema.ts'
import { aCondition, anObjectOf, aPod } from '../../../support/builders/pods.ts'

const MESSAGE = 'x'.repeat(4_000)
const numbered = (at: number) => `p${String(at).padStart(5, '0')}`
/** Every third is ready. */
function podAt(at: number) {
  const conditions = [aCondition('Ready', at % 3 === 0 ? 'True' : 'False', { message: MESSAGE })]
  const containerStatuses = [{ name: 'echo', image: 'echo:1', imageID: '', ready: true, restartCount: 0 }]
  const state = { terminated: { exitCode: 1, message: MESSAGE } }
  const status = { conditions, containerStatuses: containerStatuses.map((each) => ({ ...each, state })) }
  return podFrom(aPod({ name: numbered(at), uid: numbered(at), status }))
}
const podsOf = (count: number) => Array.from({ length: count }, (_, at) => podAt(at))
const planned = (pods: readonly ReturnType<typeof podFrom>[], status?: object) => {
  const endpoint = anObjectOf('TEndpoint', status && { status })
  if (!TENDPOINT.isDraft(endpoint)) throw new Error('it is no TEndpoint')
  return plan({ endpoint, pods })
}
const namesIn = (listed: readonly unknown[]) => listed.map((entry) => Object(entry).name)

describe('TE-R3 the pods of a server', () => {
  it('are all listed where they fit, by name', () => {
    const listed = listedOf(podsOf(9).toReversed(), {})
    expect(namesIn(listed)).toEqual(Array.from({ length: 9 }, (_, at) => numbered(at)))
  })

  it('are listed as far as an object takes them, active ones first, by name', () => {
    const pods = podsOf(900)
    const listed = listedOf(pods, {})
    const names = namesIn(listed)
    expect(names).toEqual(names.toSorted())
    expect(names.filter((name) => Number(name.slice(1)) % 3 === 0)).toHaveLength(names.length)
    expect(JSON.stringify(listed).length).toBeGreaterThan(1_100_000)
    expect(JSON.stringify(listed).length).toBeLessThan(1_200_000)
  })

  it('are followed by those that are not active, where there is room', () => {
    const listed = namesIn(listedOf(podsOf(300), {}))
    const active = listed.filter((name) => Number(name.slice(1)) % 3 === 0)
    expect(active).toHaveLength(100)
    expect(listed.length).toBeGreaterThan(100)
    expect(listed.length).toBeLessThan(300)
  })

  it('leave room for the rest of the object', () => {
    const spec = { tars: { profile: 'ä'.repeat(300_000) } }
    expect(listedOf(podsOf(900), spec).length).toBeLessThan(listedOf(podsOf(900), {}).length / 1.9)
    expect(listedOf(podsOf(9), { tars: { profile: 'x'.repeat(1_300_000) } })).toEqual([])
  })

  it('are told of where some are not listed, when the list is written, and then no more', () => {
    const pods = podsOf(900)
    const { actions, notices } = planned(pods)
    const listed = listedOf(pods, {})
    expect(actions).toHaveLength(1)
    const message = `lists ${listed.length} of 900 pods, active ones first, since no larger object is stored (TE-R3)`
    expect(notices).toEqual([{ type: 'Warning', reason: 'PodsNotListed', message }])
    expect(planned(podsOf(9)).notices).toEqual([])
    expect(planned(pods, { pods: listed }).actions).toEqual([])
  })

  it('are listed in linear time: 10,000 of 20 containers', () => {
    const containerStatuses = Array.from({ length: 20 }, () => ({ name: 'echo', image: 'echo:1', ready: true }))
    const pods = Array.from({ length: 10_000 }, (_, at) =>
      podFrom(aPod({ name: `p${at}`, status: { containerStatuses } })),
    )
    const began = performance.now()
    expect(listedOf(pods, {}).length).toBeGreaterThan(400)
    expect(performance.now() - began).toBeLessThan(2_000)
  })
})
