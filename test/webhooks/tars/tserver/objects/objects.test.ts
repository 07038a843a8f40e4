import { describe, expect, it } from 'vitest'
import { isTree } from '../../../../../src/schema.ts'
import { settingsOf } from '../../../../../src/setting.ts'
import { TFRAMEWORKCONFIG } from '../../../../../webhooks/tars/tframeworkconfig/schema.ts'
import { objectsFor, workloadsFor } from '../../../../../webhooks/tars/tserver/objects/objects.ts'
import { TSERVER } from '../../../../../webhooks/tars/tserver/schema.ts'
import { aPort, aRelease, aServant, aTServer } from '../../../../support/builders/servers.ts'
import { asServer, givenIn, goldens, mapped, wantedIn } from '../../../../support/mapped.ts'

const GIVEN = { profile: 'seed', settings: settingsOf({}) } as const

function objectsOf(golden: string) {
  const given = givenIn(golden)
  return objectsFor(asServer(given.find(TSERVER.is)), given.find(TFRAMEWORKCONFIG.is), GIVEN).map(
    ({ object }) => object,
  )
}

describe('what becomes of a TServer', () => {
  it.each(goldens)('%s: exactly what is wanted, in the order of WK-10', (golden) => {
    expect(objectsOf(golden)).toEqual(wantedIn(golden))
  })
  it('there are eight pairs', () => expect(goldens).toHaveLength(8))

  it.each(goldens)('%s: the same again, of an object that cannot be changed', (golden) => {
    const given = frozen(givenIn(golden))
    const server = asServer(given.find(TSERVER.is))
    const config = given.find(TFRAMEWORKCONFIG.is)
    const texts = [1, 2].map(() => JSON.stringify(objectsFor(server, config, GIVEN)))
    expect(texts[0]).toBe(texts[1])
  })
  it.each(goldens)('%s: no part occurs twice in one object, so YAML prints no alias', (golden) => {
    for (const object of objectsOf(golden)) {
      const parts = partsOf(object)
      expect(new Set(parts).size).toBe(parts.length)
    }
  })
  it('TS-R4: Service and StatefulSet, or a DaemonSet alone', () => {
    const kindsOf = (k8s: object) =>
      workloadsFor(asServer(aTServer({ k8s: { ...k8s } })), undefined, GIVEN).map(({ of }) => of.kind)
    expect(kindsOf({})).toEqual(['Service', 'StatefulSet'])
    expect(kindsOf({ daemonSet: true })).toEqual(['DaemonSet'])
  })
})

/** Section 6.9 states the object without the defaults of its schema. */
const GATE = {
  app: 'Demo',
  server: 'Gate',
  namespace: 'shop',
  normal: [aPort(), aPort({ name: 'dns', port: 5353, isTcp: false })],
  k8s: { replicas: 3, abilityAffinity: 'ServerRequired', hostNetwork: true },
}

describe('the worked example of a normal server', () => {
  it('is the same without the defaults of the schema', () => {
    const [, , Service, StatefulSet] = wantedIn('02-normal-unreleased-host-network')
    const { metadata, ...rest } = aTServer(GATE)
    const uid = '00000000-0000-4000-8000-000000000002'
    expect(mapped({ ...rest, metadata: { ...metadata, uid } })).toMatchObject({ Service, StatefulSet })
  })
  it('as a DaemonSet, with a release, has no Service', () => {
    const release = { id: 'g1', image: 'x/gate:g1' }
    const { Service, StatefulSet, DaemonSet } = mapped(
      aTServer({ ...GATE, release, k8s: { ...GATE.k8s, daemonSet: true } }),
    )
    expect([Service, StatefulSet]).toEqual([undefined, undefined])
    const matchExpressions = [{ key: 'tars.io/node.shop', operator: 'Exists' }]
    const nodeAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
    }
    expect(DaemonSet).toMatchObject({
      spec: {
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
        minReadySeconds: 3,
        template: {
          metadata: { labels: { 'tars.io/ServerID': 'g1' } },
          spec: { affinity: { nodeAffinity }, containers: [{ image: 'x/gate:g1' }] },
        },
      },
    })
  })
})

describe('an object of a hostile size, stored while the webhook was away', () => {
  const many = (n: number, item: (i: number) => object) => Array.from({ length: n }, (_, i) => item(i))
  const hostile = (n: number) =>
    asServer(
      aTServer({
        release: aRelease(),
        servants: many(n, (i) => aServant({ name: `AVeryVeryLongServant${i}`, port: i })),
        ports: many(n, (i) => aPort({ name: `a--${i}`, port: i })),
        k8s: {
          hostPorts: many(n, (i) => ({ nameRef: `AVERYVERYLONGSERVANT${i}`, port: i })),
          env: many(n, (i) => ({ name: `E${i % 100}`, value: 'x' })),
          mounts: many(n, (i) => ({ name: `m${i}`, mountPath: `/${i}`, source: { tLocalVolume: {} } })),
          nodeSelector: many(n, (i) => ({ key: `k${i}`, operator: 'Exists' })),
        },
      }),
    )
  it('takes its time by its size', () => {
    const server = hostile(30_000)
    const start = performance.now()
    for (const profile of ['seed', 'upstream'] as const) objectsFor(server, undefined, { ...GIVEN, profile })
    expect(performance.now() - start).toBeLessThan(5_000)
  })
})

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
  return value
}

function partsOf(value: unknown): readonly object[] {
  if (!isTree(value) && !Array.isArray(value)) return []
  return [value, ...Object.values(value).flatMap(partsOf)]
}
