import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../../src/schema.ts'
import { named } from '../../../../../webhooks/nacos/nacos/objects/main-container.ts'
import { overlayProblem, podSpec } from '../../../../../webhooks/nacos/nacos/objects/pod-spec.ts'
import type { NacosSubject } from '../../../../../webhooks/nacos/nacos/objects/subject.ts'
import { aNacos, aSubject } from '../../../../support/builders/nacos.ts'

const pods = (spec: Tree = {}, rest: Partial<NacosSubject> = {}) => podSpec(aSubject(aNacos(spec), rest))
const main = (spec: Tree = {}, rest: Partial<NacosSubject> = {}) => named(pods(spec, rest), 'my-nacos')
const overlaid = (container: Tree, spec: Tree = {}) =>
  main({ ...spec, k8sWrapper: { PodSpec: { containers: [{ name: 'my-nacos', ...container }] } } })
const variables = ({ env }: Tree) =>
  Object.fromEntries(Array.isArray(env) ? env.map(({ name, value, valueFrom }) => [name, value ?? valueFrom]) : [])
const OF_CLUSTER = { PREFER_HOST_MODE: 'hostname', NACOS_REPLICAS: '1', EMBEDDED_STORAGE: 'embedded' }
const SERVER_0 = 'my-nacos-0.my-nacos-headless.default.svc'

describe('NC-STS-20, NC-STS-23 the environment', () => {
  it.each<{ name: string; spec: Tree; env: Tree }>([
    { name: 'of a cluster', spec: {}, env: { ...OF_CLUSTER, NACOS_SERVERS: `${SERVER_0}.cluster.local:8848` } },
    {
      name: 'of a cluster with another domain',
      spec: { env: [{ name: 'DOMAIN_NAME', value: 'corp' }] },
      env: { ...OF_CLUSTER, DOMAIN_NAME: 'corp', NACOS_SERVERS: `${SERVER_0}.corp:8848` },
    },
    {
      name: 'of one server',
      spec: { type: 'standalone', function_mode: 'config' },
      env: {
        PREFER_HOST_MODE: 'hostname',
        MODE: 'standalone',
        FUNCTION_MODE: 'config',
        EMBEDDED_STORAGE: 'embedded',
      },
    },
    {
      name: 'of one with MySQL',
      spec: { type: 'standalone', database: { type: 'mysql', mysqlHost: 'db' } },
      env: {
        PREFER_HOST_MODE: 'hostname',
        MODE: 'standalone',
        SPRING_DATASOURCE_PLATFORM: 'mysql',
        MYSQL_SERVICE_HOST: 'db',
        MYSQL_SERVICE_PORT: '3306',
        MYSQL_SERVICE_DB_NAME: 'nacos',
        MYSQL_SERVICE_USER: 'root',
        MYSQL_SERVICE_PASSWORD: '123456',
      },
    },
    {
      name: 'of one with another database and authentication',
      spec: { type: 'standalone', database: { type: 'pg' }, certification: { enabled: true, token: 't' } },
      env: {
        PREFER_HOST_MODE: 'hostname',
        MODE: 'standalone',
        NACOS_AUTH_ENABLE: 'true',
        NACOS_AUTH_TOKEN: 't',
        NACOS_AUTH_TOKEN_EXPIRE_SECONDS: '18000',
        NACOS_AUTH_CACHE_ENABLE: 'false',
      },
    },
  ])('$name', ({ spec, env }) => {
    expect(variables(main({ replicas: 1, ...spec }))).toEqual(env)
  })

  it('NC-STS-21 one entry is left of a name: of the overlay, of the operator, then of the spec', () => {
    const from = { fieldRef: { fieldPath: 'metadata.name' } }
    const env = [
      { name: 'MODE', value: 'spec' },
      { name: 'OWN', value: '1' },
      { name: 'OWN', value: '2' },
      { name: 'FROM', value: 'x' },
    ]
    const own = [
      { name: 'PREFER_HOST_MODE', value: 'ip' },
      { name: 'FROM', valueFrom: from },
    ]
    const container = overlaid({ env: own }, { type: 'standalone', replicas: 1, env })
    expect(variables(container)).toMatchObject({ MODE: 'standalone', OWN: '2', PREFER_HOST_MODE: 'ip', FROM: from })
    expect(container.env).toHaveLength(5)
  })
})

describe('NC-STS-25 the overlay of the main container', () => {
  const ports = (list: readonly Tree[]) => overlaid({ ports: list }).ports

  it('replaces a port by its name, or by number and protocol', () => {
    expect(ports([{ name: 'client', containerPort: 80 }])).toContainEqual({
      name: 'client',
      containerPort: 80,
      protocol: 'TCP',
    })
    expect(ports([{ containerPort: 8848, hostPort: 1 }])).toHaveLength(4)
    expect(ports([{ containerPort: 8848, protocol: 'UDP', name: 'udp' }])).toHaveLength(5)
  })

  it('replaces command and arguments', () => {
    expect(overlaid({ command: ['a'], args: ['b'] })).toMatchObject({ command: ['a'], args: ['b'] })
  })

  it('replaces the handler of a probe and merges the rest', () => {
    const readinessProbe = { httpGet: { port: 1 }, periodSeconds: 7 }
    const container = overlaid({ readinessProbe: { exec: { command: ['a'] } } }, { readinessProbe })
    expect(container.readinessProbe).toEqual({ exec: { command: ['a'] }, periodSeconds: 7 })
    expect(overlaid({ readinessProbe: { periodSeconds: 1 } }, { readinessProbe }).readinessProbe).toEqual({
      httpGet: { port: 1 },
      periodSeconds: 1,
    })
  })

  it('adds mounts, and replaces one by its path', () => {
    const path = '/home/nacos/conf/application.properties'
    expect(overlaid({ volumeMounts: [{ name: 'x', mountPath: '/x' }] }).volumeMounts).toEqual([
      { name: 'config', mountPath: path, subPath: 'application.properties' },
      { name: 'x', mountPath: '/x' },
    ])
    expect(overlaid({ volumeMounts: [{ name: 'config', mountPath: path, readOnly: true }] }).volumeMounts).toEqual([
      { name: 'config', mountPath: path, subPath: 'application.properties', readOnly: true },
    ])
  })
})

describe('NC-STS-25, NC-STS-26 the overlay of the pod', () => {
  const tolerations = [{ key: 'b', operator: 'Exists' }]

  it('adds sidecars and volumes, keeps tolerations, and merges maps', () => {
    const PodSpec = {
      containers: [{ name: 'a-sidecar', image: 'i' }],
      volumes: [
        { name: 'a', emptyDir: {} },
        { name: 'config', configMap: { defaultMode: 256 } },
      ],
      tolerations: [{ key: 'a', operator: 'Exists' }, ...tolerations],
      nodeSelector: { b: '2' },
      imagePullSecrets: [{ name: 'two' }],
      priorityClassName: 'high',
    }
    const spec = pods({
      tolerations,
      nodeSelector: { a: '1' },
      imagePullSecrets: [{ name: 'one' }],
      k8sWrapper: { PodSpec },
    })
    expect(spec).toMatchObject({
      containers: [{ name: 'a-sidecar', image: 'i' }, { name: 'my-nacos' }],
      volumes: [
        { name: 'a', emptyDir: {} },
        { name: 'config', configMap: { name: 'my-nacos-final-config', defaultMode: 256 } },
      ],
      nodeSelector: { a: '1', b: '2' },
      imagePullSecrets: [{ name: 'two' }, { name: 'one' }],
      priorityClassName: 'high',
    })
    expect(spec.tolerations).toEqual([{ key: 'a', operator: 'Exists' }, ...tolerations])
  })

  it('NC-STS-14 sorts by code units', () => {
    const volumeMounts = [
      { name: 'b', mountPath: '/b', subPath: 'y' },
      { name: 'b', mountPath: '/a' },
      { name: 'B', mountPath: '/z' },
    ]
    const sidecar = { name: 'zz', volumeMounts, env: [{ name: 'b' }, { name: 'B' }, { name: 'a' }] }
    const initContainers = [{ name: 'b' }, { name: 'a', ports: [{ name: 'y' }, { name: 'x' }] }]
    const spec = pods({ k8sWrapper: { PodSpec: { containers: [sidecar], initContainers } } })
    expect(named(spec, 'zz')).toMatchObject({
      env: [{ name: 'B' }, { name: 'a' }, { name: 'b' }],
      volumeMounts: [{ name: 'B' }, { mountPath: '/a' }, { mountPath: '/b' }],
    })
    expect(spec.initContainers).toEqual([{ name: 'a', ports: [{ name: 'x' }, { name: 'y' }] }, { name: 'b' }])
  })

  it.each([
    { says: 'spec.volumes: has elements of several types', PodSpec: { volumes: ['x'] } },
    { says: 'spec: an object takes $patch with replace or delete', PodSpec: { $patch: 'x' } },
    { says: undefined, PodSpec: { volumes: [] } },
  ])('NC-REC-12 that cannot be merged: $says', ({ PodSpec, says }) => {
    expect(overlayProblem(aNacos({ replicas: 2_000_000_000, k8sWrapper: { PodSpec } }))).toBe(says)
  })

  it('of a wrong type is left for the API server to refuse', () => {
    expect(pods({ k8sWrapper: { PodSpec: { containers: 'x' } } }).containers).toBe('x')
    expect(pods({ env: [{ value: 'nameless' }] }).containers).toMatchObject([
      { env: expect.arrayContaining([{ value: 'nameless' }]) },
    ])
  })
})

describe('NC-STS-30 the readiness probe', () => {
  it.each([
    {
      image: 'nacos/nacos-server:v2.4.3',
      probe: { httpGet: { path: '/nacos/v1/console/health/readiness', port: 8848 } },
    },
    { image: 'r:5000/nacos:1.4.4', probe: { httpGet: { path: '/nacos/v1/console/health/readiness', port: 8848 } } },
    { image: 'nacos:v3.0.1-slim@sha256:ab', probe: { httpGet: { path: '/v3/console/health/readiness', port: 8080 } } },
    { image: 'r:5000/nacos', probe: { tcpSocket: { port: 8848 } } },
    { image: 'nacos:latest', probe: { tcpSocket: { port: 8848 } } },
    { image: 'nacos@sha256:1b', probe: { tcpSocket: { port: 8848 } } },
  ])('of $image', ({ image, probe }) => {
    expect(main({ image }).readinessProbe).toMatchObject({ ...probe, failureThreshold: 6 })
    expect(overlaid({ image }, { image: 'other:9' }).readinessProbe).toMatchObject(probe)
  })

  it('asks at the context path', () => {
    expect(main({}, { contextPath: '/x' }).readinessProbe).toMatchObject({
      httpGet: { path: '/x/v1/console/health/readiness' },
    })
  })

  it.each([
    { name: 'the spec', spec: { readinessProbe: { exec: {} } } },
    {
      name: 'the overlay',
      spec: { k8sWrapper: { PodSpec: { containers: [{ name: 'my-nacos', readinessProbe: { exec: {} } }] } } },
    },
  ])('is that of $name', ({ spec }) => {
    expect(main(spec).readinessProbe).toEqual({ exec: {} })
  })
})

describe('NC-STS-28 the data', () => {
  const mount = (name: string) => expect.arrayContaining([{ name, mountPath: '/home/nacos/data' }])
  const claims = (volume: Tree) => {
    const { volumeMounts } = main({ volume })
    return { volumeMounts, volumes: pods({ volume }).volumes }
  }

  it.each<{ name: string; volume: Tree; source: Tree }>([
    {
      name: 'hostPath before all',
      volume: { hostPath: { path: '/d' }, emptyDir: {} },
      source: { hostPath: { path: '/d' } },
    },
    { name: 'emptyDir', volume: { emptyDir: {}, volumeClaimTemplate: {} }, source: { emptyDir: {} } },
  ])('$name', ({ volume, source }) => {
    expect(claims(volume)).toEqual({
      volumeMounts: mount('db'),
      volumes: expect.arrayContaining([{ name: 'db', ...source }]),
    })
  })

  it.each<{ name: string; volume: Tree; claim: string }>([
    { name: 'a claim', volume: { volumeClaimTemplate: {}, enabled: true }, claim: 'db' },
    { name: 'a claim with a name', volume: { volumeClaimTemplate: { metadata: { name: 'data' } } }, claim: 'data' },
    { name: 'a claim in the other dialect', volume: { enabled: true }, claim: 'db' },
  ])('$name', ({ volume, claim }) => {
    expect(claims(volume).volumeMounts).toEqual(mount(claim))
  })

  it('is in no volume where none is asked for', () => {
    expect(main({ volume: { enabled: false } }).volumeMounts).toHaveLength(1)
  })
})
