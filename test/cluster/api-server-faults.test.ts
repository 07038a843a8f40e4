import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { isTree } from '../../src/schema.ts'
import { restartOnEmptyStore } from './empty-store.ts'
import {
  background,
  change,
  configMap,
  control,
  expectCreated,
  isRight,
  kubeconfigOf,
  link,
  NAMES,
  type Name,
  observe,
  observer,
  populate,
  ROOTS,
} from './faulty-cluster.ts'
import { until } from './until.ts'

const THERE = /^TTemplate demo\/there@/
const RIGHT_WITHIN_S = 5
const SILENCE_S = 90
/** From when on versions alone are not believed. */
const OUTAGE_MS = 10_000
const KEEP_ALIVE_S = 60
/** Enough for versions of a store that began anew to be lower. */
const WRITES = 400

describe('the cache is right again within 5 s after the API server is back', () => {
  it('from a restart on the same store, with one list at most', async () => {
    await control.restartApiServer()
    await expectRight('a restart', AT_MOST_ONE)
  })

  it('from a restart that leaves no way to go on from what was known (410), with one list', async () => {
    link.cut()
    await change('unseen')
    await control.restartApiServer()
    link.heal()
    await expectRight('a restart and 410', ONE)
  })

  it('from a stop of ten seconds (SIGSTOP), without a list', async () => {
    await control.pauseApiServer()
    await sleep(10_000)
    control.resumeApiServer()
    await expectRight('SIGSTOP for 10 s', NONE)
  })

  it('from a network that resets every connection, again and again, while objects come and go', async () => {
    for (let times = 0; times < 20; times += 1) {
      if (times % 2 === 0) link.cut()
      else link.heal()
      await change(`reset-${times}`)
      await sleep(50)
    }
    link.heal()
    await expectRight('10 times reset', NONE)
  })

  it('from a token that is worth nothing any more (401), as soon as the kubeconfig holds the next one', async () => {
    observer.cluster.stop()
    await observe(await freshToken())
    await until('the cache is right with that token', () => isRight(observer))
    const next = await freshToken()
    while (!observer.shown.some((line) => line.includes('401'))) {
      link.cut()
      link.heal()
      await sleep(500) // an API server believes a token for ten seconds more
    }
    kubeconfigOf(link, next)
    await expectRight('a token that was void', NONE)
  })

  it('from a network so slow that a list does not come through', async () => {
    observer.cluster.stop()
    link.trickle(20)
    await observe()
    await sleep(3_000)
    expect(observer.cluster.states().some(({ synced }) => synced)).toBe(false)
    link.heal()
    await expectRight('50 bytes a second', NONE)
  })
})

describe('a peer that is gone without a word', () => {
  it('is found by TCP keep-alive within a minute', async () => {
    const seconds = await background.deadPeer
    report('found by keep-alive', seconds)
    expect(seconds).toBeLessThanOrEqual(KEEP_ALIVE_S)
  }, 150_000)

  it('is found by its silence where packets are acknowledged and vanish all the same', async () => {
    const seconds = await background.blackHole
    report('right again from a black hole', seconds)
    expect(seconds).toBeGreaterThan(10) // it did not notice before
    expect(seconds).toBeLessThanOrEqual(SILENCE_S + RIGHT_WITHIN_S)
  }, 150_000)
})

describe('the store is emptied', () => {
  it('and the cache is right within 5 s too, though the CRD is gone and versions begin anew', async () => {
    await raiseVersions()
    await until('the cache is right before', () => isRight(observer))
    expect(await observer.held()).toContainEqual(expect.stringMatching(THERE))
    await restartOnEmptyStore(control)
    await expectRight('an emptied store', ONE)
    expect(await observer.held()).not.toContainEqual(expect.stringMatching(THERE))
  })

  it('and what is created in the new one is found', async () => {
    await populate()
    await until('the CRD is found again', () => isRight(observer), { seconds: 35 })
    expect(await observer.held()).toContainEqual(expect.stringMatching(THERE))
  })

  it('and is past our version again when we are back after ten seconds, and is not taken for the old one', async () => {
    const reached = await versionOfStore()
    link.cut()
    await until('both watches have failed', () => NAMES.every(hasFailed)) // from here on they count the outage
    const awayUntil = performance.now() + OUTAGE_MS
    await restartOnEmptyStore(control)
    await populate()
    for (let times = 0; (await versionOfStore()) <= reached; times += 1) await raiseVersions(`again ${times}`)
    await sleep(Math.max(0, awayUntil - performance.now()))
    link.heal()
    await expectRight('a store that overtook us', ONE)
  })
})

interface Relists {
  readonly least: number
  readonly most: number
}
const NONE: Relists = { least: 0, most: 0 }
const ONE: Relists = { least: 1, most: 1 }
/** A kind that nobody wrote to for a while has a version that is too old for an API server that starts (measured). */
const AT_MOST_ONE: Relists = { least: 0, most: 1 }

/** To be called as soon as the API server is back: from then on it counts, with a change that nobody could know of. */
async function expectRight(after: string, { least, most }: Relists): Promise<void> {
  const beganAt = performance.now()
  await control.request('POST', `${ROOTS.ConfigMap}/namespaces/default/configmaps`, configMap(after))
  await until(`the cache is right after ${after}`, () => isRight(observer), { seconds: 20 })
  const seconds = (performance.now() - beganAt) / 1_000
  report(`right again after ${after}`, seconds)
  expect(seconds).toBeLessThanOrEqual(RIGHT_WITHIN_S)
  const { values } = await observer.metrics.relists.get()
  for (const kind of NAMES) {
    const { value = 0 } = values.find(({ labels }) => labels.kind === kind) ?? {}
    expect(value, `lists of ${kind} after the first`).toBeGreaterThanOrEqual(least)
    expect(value, `lists of ${kind} after the first`).toBeLessThanOrEqual(most)
  }
  expect((await observer.metrics.liveReads.get()).values, 'all of it from the cache').toEqual([])
}

function hasFailed(kind: Name): boolean {
  return observer.shown.some((line) => line.includes('list or watch failed') && line.includes(`"kind":"${kind}"`))
}

function report(what: string, seconds: number | undefined): void {
  process.stdout.write(`${what}: ${seconds?.toFixed(2)} s\n`)
}

/** Of an account that takes the place of the last one of that name, whose tokens are void then. */
async function freshToken(): Promise<string> {
  const accounts = '/api/v1/namespaces/default/serviceaccounts'
  const account = { kind: 'ServiceAccount', namespace: 'default', name: 'watcher' }
  const roleRef = { kind: 'ClusterRole', name: 'cluster-admin' }
  await control.request('DELETE', `${accounts}/watcher`)
  await expectCreated(accounts, { metadata: { name: 'watcher' } })
  const binding = { metadata: { name: 'watcher' }, roleRef, subjects: [account] }
  await control.request('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', binding)
  const { body } = await control.request('POST', `${accounts}/watcher/token`, { spec: { expirationSeconds: 3600 } })
  if (isTree(body) && isTree(body.status) && typeof body.status.token === 'string') return body.status.token
  throw new Error(`no token, but ${JSON.stringify(body)}`)
}

async function raiseVersions(word = 'raise'): Promise<void> {
  for (let written = 0; written < WRITES; written += 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        expectCreated(`${ROOTS.ConfigMap}/namespaces/demo/configmaps`, configMap(`${word} ${written + i}`)),
      ),
    )
}

async function versionOfStore(): Promise<number> {
  const { body } = await control.request('GET', '/api/v1/namespaces?limit=1')
  if (isTree(body) && isTree(body.metadata)) return Number(body.metadata.resourceVersion)
  throw new Error(`no list, but ${JSON.stringify(body)}`)
}
