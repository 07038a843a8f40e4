import { describe, expect, it } from 'vitest'
import { TFRAMEWORKCONFIG } from '../../../../webhooks/tars/tframeworkconfig/schema.ts'
import { plan, timageController } from '../../../../webhooks/tars/timage/reconcile.ts'
import { TIMAGE } from '../../../../webhooks/tars/timage/schema.ts'
import { FAIL_OVERTIME_BUILDS } from '../../../../webhooks/tars/timage/settings.ts'
import { SETTINGS, withSetting } from '../../../support/answerer-parts.ts'
import { aTFrameworkConfig } from '../../../support/builders/framework-configs.ts'
import { aTImage } from '../../../support/builders/images.ts'
import { admittingCluster, NOW } from '../../../support/clusters.ts'
import { controllersWith, turnsOf } from '../../../support/turns.ts'

const at = new Date(NOW)
const KEY = { namespace: 'demo', name: 'demo-echo' }
const ON = withSetting(FAIL_OVERTIME_BUILDS, true)
/** Ten minutes before, and eight minutes are the usual limit. */
const LATE = '2026-11-18T11:50:00Z'
const EXACT = '2026-11-18T11:52:00Z'
const aBuild = (createTime?: string) => ({
  id: 'r1',
  baseImage: 'base',
  image: 'i',
  phase: 'Running',
  ...(createTime && { createTime }),
})
const FAILED = { ...aBuild(LATE), phase: 'Failed', message: 'task overtime' }

describe('TI-R1 a build that takes too long', () => {
  const failure = [
    {
      do: 'patch',
      of: TIMAGE,
      ref: KEY,
      expects: { uid: 'i', resourceVersion: '7' },
      operations: [
        { op: 'add', path: '/build/last', value: FAILED },
        { op: 'remove', path: '/build/running' },
      ],
      because: 'TI-R1',
    },
  ]

  it.each([
    { name: 'is none where nothing is built', build: undefined, plan: { actions: [] } },
    { name: 'has a time', build: { running: aBuild() }, plan: { actions: [] } },
    {
      name: 'is not one that takes exactly as long',
      build: { running: aBuild(EXACT) },
      plan: { actions: [], againInMs: 1 },
    },
    {
      name: 'becomes the last one, which failed',
      build: { running: aBuild(LATE), last: aBuild() },
      plan: { actions: failure },
    },
    {
      name: 'is as long as TFrameworkConfig says',
      build: { running: aBuild(LATE) },
      seconds: 900,
      plan: { actions: [], againInMs: 300_001 },
    },
    {
      name: 'is looked at within a day',
      build: { running: aBuild('2027-01-01T00:00:00Z') },
      plan: { actions: [], againInMs: 86_400_000 },
    },
  ])('$name', ({ build, seconds, plan: planned }) => {
    const { metadata, ...rest } = aTImage({ ...(build && { build }) })
    const image = { ...rest, metadata: { ...metadata, uid: 'i', resourceVersion: '7' } }
    const config =
      seconds === undefined
        ? undefined
        : { metadata: { name: 'tars-framework' }, imageBuild: { maxBuildTime: seconds } }
    if (!TIMAGE.isDraft(image)) throw new Error('no cache holds that')
    expect(plan({ image, config }, { at })).toEqual(planned)
  })

  it('TI-R1 on a cluster fails once, and its releases stay', async () => {
    const cluster = admittingCluster(aTFrameworkConfig())
    cluster.seed([aTImage({ build: { running: aBuild(LATE) }, releases: [{ id: 'r0', image: 'i', createTime: NOW }] })])
    const turn = turnsOf('timage', cluster, [], ON)
    expect(await turn(KEY, at)).toMatchObject({ results: [{ outcome: 'done' }] })
    expect(await cluster.get(TIMAGE, KEY)).toMatchObject({ build: { last: FAILED }, releases: [{ id: 'r0' }] })
    expect((await cluster.get(TIMAGE, KEY))?.build?.running).toBeUndefined()
    expect(await turn(KEY, at)).toMatchObject({ actions: [] })
  })

  it('TI-R1 is nobody’s business on an image that is gone or terminates', async () => {
    expect(await turnsOf('timage', admittingCluster(), [], ON)(KEY, at)).toBeUndefined()
    const going = aTImage({ build: { running: aBuild(LATE) }, going: true })
    expect(await turnsOf('timage', admittingCluster(going), [], ON)(KEY, at)).toBeUndefined()
  })

  it('TI-R1 runs where --fail-overtime-builds is on alone', () => {
    expect(controllersWith(ON)).toContain(timageController)
    expect(controllersWith(SETTINGS)).not.toContain(timageController)
  })

  it('TI-R1 is woken by the TFrameworkConfig while it runs', () => {
    const reference = { of: TFRAMEWORKCONFIG, key: { namespace: 'demo', name: 'tars-framework' } }
    expect(timageController.refersTo(aTImage({ build: { running: aBuild(LATE) } }))).toEqual([reference])
    expect(timageController.refersTo(aTImage())).toEqual([])
  })
})
