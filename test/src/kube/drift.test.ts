import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { driftIn, driftsIn } from '../../../src/kube/drift.ts'
import { isTree, type Tree } from '../../../src/schema.ts'
import { anyJson } from '../../support/generated.ts'
import { goldens, storedIn, wantedIn } from '../../support/mapped.ts'

const WORKLOAD = { apiVersion: 'apps/v1', kind: 'StatefulSet' }
const podSpec = (spec: Tree): Tree => ({ ...WORKLOAD, spec: { template: { spec } } })
const container = (fields: Tree): Tree => podSpec({ containers: [{ name: 'main', ...fields }] })
const service = (spec: Tree): Tree => ({ apiVersion: 'v1', kind: 'Service', spec })
const endpoint = (spec: Tree): Tree => ({ apiVersion: 'k8s.tars.io/v1beta2', kind: 'TEndpoint', spec })
const IN_CONTAINER = 'spec.template.spec.containers[0]'
const [A, B, C] = ['a', 'b', 'c'].map((name) => ({ name }))

interface Case {
  readonly name: string
  readonly desired: Tree
  readonly live: unknown
  readonly drift?: string
}

describe('WK-4 what is desired is live', () => {
  it.each<Case>([
    { name: 'fields of others', desired: service({ type: 'A' }), live: service({ type: 'A', b: 1 }) },
    { name: 'an item of a LIST, without its kind', desired: service({ type: 'A' }), live: { spec: { type: 'A' } } },
    {
      name: 'a value that is empty, and one that is absent',
      desired: podSpec({
        hostNetwork: false,
        serviceAccount: '',
        priority: 0,
        volumes: [],
        tolerations: [],
        dnsConfig: {},
      }),
      live: podSpec({ dnsPolicy: 'ClusterFirst' }),
    },
    {
      name: 'an object of empty values, and none',
      desired: podSpec({ dnsConfig: { searches: [], options: [] } }),
      live: podSpec({}),
    },
    {
      name: 'quantities of one value',
      desired: container({ resources: { limits: { cpu: 0.5, memory: '1024Mi' }, requests: { cpu: 1 } } }),
      live: container({ resources: { limits: { cpu: '500m', memory: '1Gi' }, requests: { cpu: '1' } } }),
    },
    { name: 'items of others between', desired: podSpec({ volumes: [A, C] }), live: podSpec({ volumes: [A, B, C] }) },
    {
      name: 'ports whose protocol is the default one',
      desired: service({ ports: [{ port: 53 }, { port: 53, protocol: 'UDP' }] }),
      live: service({
        ports: [
          { port: 53, protocol: 'TCP' },
          { port: 53, protocol: 'UDP' },
        ],
      }),
    },
    {
      name: 'atomic items with fields of the API server',
      desired: {
        ...WORKLOAD,
        spec: { volumeClaimTemplates: [{ spec: { resources: { requests: { storage: '1024Mi' } } } }] },
      },
      live: {
        ...WORKLOAD,
        spec: { volumeClaimTemplates: [{ spec: { resources: { requests: { storage: '1Gi' } } }, status: {} }] },
      },
    },
  ])('$name', ({ desired, live }) => {
    expect(driftIn(desired, live)).toBeUndefined()
  })
})

describe('WK-4 what is desired is not live', () => {
  it.each<Required<Case>>([
    {
      name: 'another value',
      desired: container({ image: 'a' }),
      live: container({ image: 'b' }),
      drift: `${IN_CONTAINER}.image`,
    },
    { name: 'no value', desired: service({ type: 'A' }), live: service({}), drift: 'spec.type' },
    { name: 'no object at all', desired: service({ type: 'A' }), live: undefined, drift: 'spec.type' },
    {
      name: 'an empty value where there is one',
      desired: podSpec({ hostNetwork: false }),
      live: podSpec({ hostNetwork: true }),
      drift: 'spec.template.spec.hostNetwork',
    },
    {
      name: 'a text where an object is',
      desired: service({ selector: {} }),
      live: service({ selector: 'x' }),
      drift: 'spec.selector',
    },
    {
      name: 'a label',
      desired: { metadata: { labels: { 'tars.io/A': 'a' } } },
      live: { metadata: { labels: {} } },
      drift: 'metadata.labels[tars.io/A]',
    },
    {
      name: 'a quantity of another value',
      desired: container({ resources: { limits: { cpu: '0.5' } } }),
      live: container({ resources: { limits: { cpu: '501m' } } }),
      drift: `${IN_CONTAINER}.resources.limits.cpu`,
    },
    {
      name: 'a text that only looks like a quantity',
      desired: container({ env: [{ name: 'A', value: '0.5' }] }),
      live: container({ env: [{ name: 'A', value: '500m' }] }),
      drift: `${IN_CONTAINER}.env[0].value`,
    },
    {
      name: 'a quantity in a kind where it is a text',
      desired: endpoint({ resources: { limits: { cpu: '0.5' } } }),
      live: endpoint({ resources: { limits: { cpu: '500m' } } }),
      drift: 'spec.resources.limits.cpu',
    },
    {
      name: 'an item that is missing',
      desired: podSpec({ volumes: [A, B] }),
      live: podSpec({ volumes: [A] }),
      drift: 'spec.template.spec.volumes[1]',
    },
    {
      name: 'an item that is there twice',
      desired: podSpec({ volumes: [A] }),
      live: podSpec({ volumes: [A, A] }),
      drift: 'spec.template.spec.volumes[0]',
    },
    {
      name: 'another order',
      desired: podSpec({ volumes: [A, B] }),
      live: podSpec({ volumes: [B, C, A] }),
      drift: 'spec.template.spec.volumes',
    },
    {
      name: 'a volume of another type',
      desired: podSpec({ volumes: [{ ...A, emptyDir: {} }] }),
      live: podSpec({ volumes: [{ ...A, hostPath: { path: '/' } }] }),
      drift: 'spec.template.spec.volumes[0].emptyDir',
    },
    {
      name: 'a port of another protocol',
      desired: service({ ports: [{ port: 53 }] }),
      live: service({ ports: [{ port: 53, protocol: 'UDP' }] }),
      drift: 'spec.ports[0]',
    },
    {
      name: 'the ports of a container by number',
      desired: container({ ports: [{ containerPort: 1, hostPort: 2 }] }),
      live: container({ ports: [{ containerPort: 2 }, { containerPort: 1, hostPort: 3 }] }),
      drift: `${IN_CONTAINER}.ports[0].hostPort`,
    },
    {
      name: 'an atomic list with one item more',
      desired: endpoint({ ports: [A] }),
      live: endpoint({ ports: [A, B] }),
      drift: 'spec.ports',
    },
    {
      name: 'an atomic list in another order',
      desired: endpoint({ ports: [A, B] }),
      live: endpoint({ ports: [B, A] }),
      drift: 'spec.ports[0].name',
    },
    {
      name: 'a selector with one label more',
      desired: service({ selector: { a: 'a' } }),
      live: service({ selector: { a: 'a', b: 'b' } }),
      drift: 'spec.selector',
    },
  ])('$name', ({ desired, live, drift }) => {
    expect(driftIn(desired, live)).toBe(drift)
  })
})

describe.each(goldens)('WK-4 %s', (golden) => {
  const pairs = wantedIn(golden).flatMap((wanted, i) => {
    const stored = storedIn(golden)[i]
    return isTree(wanted) && isTree(stored) ? [{ wanted, stored }] : []
  })
  it('is stored without drift', () => {
    expect(pairs.length).toBeGreaterThan(2)
    expect(pairs.map(({ wanted, stored }) => driftIn(wanted, stored))).toEqual(pairs.map(() => undefined))
  })
  it('drifts wherever a value that is not empty changes', () => {
    for (const { wanted, stored } of pairs) {
      const { apiVersion, kind, ...body } = wanted
      for (const changed of changesOf(body))
        expect(driftIn(Object.assign({ apiVersion, kind }, changed), stored)).toBeDefined()
    }
  })
})

it('WK-4 finds no drift between an object and itself with more fields', () => {
  const objects = fc.dictionary(fc.constantFrom('a', 'b', 'metadata', '__proto__', 'constructor'), anyJson)
  fc.assert(
    fc.property(objects, objects, fc.constantFrom('Service', 'StatefulSet'), (spec, more, kind) => {
      const desired = { ...WORKLOAD, kind, spec }
      expect(driftIn(desired, { ...more, spec: { more, ...spec } })).toBeUndefined()
    }),
  )
})
it('WK-4 throws for no live object', () => {
  const desired = wantedIn(goldens[0] ?? '').filter(isTree)
  fc.assert(fc.property(anyJson, (spec) => desired.every((each) => driftIn(each, { ...each, spec }) !== '')))
})

/** The value with one of its leaves changed, for each leaf that is not empty. */
function changesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => changesOf(item).map((other) => value.with(i, other)))
  if (isTree(value))
    return Object.entries(value).flatMap(([key, part]) => changesOf(part).map((other) => ({ ...value, [key]: other })))
  if (typeof value === 'string' && value !== '') return [`${value}x`]
  if (typeof value === 'number' && value !== 0) return [value + 1]
  return value === true ? [false] : []
}

it('GW-2 all drifts are found, each with what is there instead', () => {
  const desired = { ...podSpec({ volumes: [A, B], hostIPC: true }), metadata: { labels: { app: 'a' } } }
  const live = { ...podSpec({ volumes: [B], hostIPC: 'no' }), metadata: { labels: { app: 'b' } } }
  expect(driftsIn(desired, live)).toEqual([
    { path: 'spec.template.spec.volumes[0]', live: undefined },
    { path: 'spec.template.spec.hostIPC', live: 'no' },
    { path: 'metadata.labels.app', live: 'b' },
  ])
})
