import { describe, expect, it } from 'vitest'
import { configFrom } from '../../../src/commands/settings.ts'
import { workloads } from '../../../src/print/workloads.ts'
import { SERVING } from '../../../src/process/reviews.ts'
import { at } from '../../support/builders/trees.ts'

const INSTALLATION = {
  namespace: 'tars-system',
  image: 'registry/tars-admission:1',
  monitoringLabel: 'metrics=enabled',
}
type Wishes = Partial<Parameters<typeof workloads>[0]>
type Command = 'webhook' | 'worker'
function printed(kind: string, wishes: Wishes = {}, command: Command = 'webhook') {
  const ofKind = workloads({ ...INSTALLATION, ...wishes }).filter((each) => each.kind === kind)
  return ofKind.find((each) => Object.values(Object(at(each, 'metadata.labels'))).includes(command))
}
const deploymentOf = (command: Command) => (path: string) => at(printed('Deployment', {}, command), `spec.${path}`)
const deployment = deploymentOf('webhook')
const pod = (path: string) => deployment(`template.spec.${path}`)
const container = (path: string) => pod(`containers.0.${path}`)
const BOTH = [{ command: 'webhook' }, { command: 'worker' }] as const

describe.each(BOTH)('the Deployment of the $command goes on, whatever is done to it (CV-3)', ({ command }) => {
  const deployment = deploymentOf(command)
  const pod = (path: string) => deployment(`template.spec.${path}`)
  it('has two replicas', () => expect(deployment('replicas')).toBe(2))
  it('never has fewer than that in a rollout', () => {
    expect(deployment('strategy')).toEqual({ type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } })
  })
  it('gives a pod 45 seconds to end', () => expect(pod('terminationGracePeriodSeconds')).toBe(45))
  it('would rather not have two pods on one node', () => {
    const [term] = [pod('affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution.0.podAffinityTerm')]
    expect(at(term, 'topologyKey')).toBe('kubernetes.io/hostname')
    expect(at(term, 'labelSelector.matchLabels')).toEqual(deployment('template.metadata.labels'))
  })
  it('spreads over zones as far as it can', () => {
    expect(pod('topologySpreadConstraints.0')).toMatchObject({
      maxSkew: 1,
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable: 'ScheduleAnyway',
    })
  })
  it('is looked after by a disruption budget that keeps one pod', () => {
    const budget = printed('PodDisruptionBudget', {}, command)
    expect(at(budget, 'spec.minAvailable')).toBe(1)
    expect(at(budget, 'spec.selector.matchLabels')).toEqual(deployment('template.metadata.labels'))
  })
  it('selects its own pods', () => {
    expect(deployment('selector.matchLabels')).toEqual(deployment('template.metadata.labels'))
  })
  it('is not evicted for a lesser pod', () => expect(pod('priorityClassName')).toBe('system-cluster-critical'))
})

describe.each(BOTH)('the pod of the $command satisfies the restricted pod security standard (CV-3)', ({ command }) => {
  const pod = (path: string) => deploymentOf(command)(`template.spec.${path}`)
  const container = (path: string) => pod(`containers.0.${path}`)
  it('runs as nobody', () => {
    expect(pod('securityContext')).toMatchObject({ runAsNonRoot: true, runAsUser: 65532 })
  })
  it('has the seccomp profile of the runtime', () => {
    expect(pod('securityContext.seccompProfile')).toEqual({ type: 'RuntimeDefault' })
  })
  it('has no capability, no way to more, and nothing to write to', () => {
    expect(container('securityContext')).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })
  it('takes no settings from Services of an unlucky name', () => expect(pod('enableServiceLinks')).toBe(false))
})

it('the webhook writes its CA certificate into memory', () => {
  const [path] = [container('volumeMounts.0.mountPath')]
  expect(container('args')).toContain(`--cert-dir=${path}`)
  expect(pod('volumes.0.emptyDir')).toEqual({ medium: 'Memory', sizeLimit: '1Mi' })
  expect(container('volumeMounts.0.name')).toBe(pod('volumes.0.name'))
})

describe('names and ports are those of deployed TarsK8S clusters (CV-4)', () => {
  it('the Service tars-webhook-service leads from 443 to the port of reviews', () => {
    const service = printed('Service')
    expect(at(service, 'metadata')).toMatchObject({ name: 'tars-webhook-service', namespace: 'tars-system' })
    expect(at(service, 'spec.ports')).toEqual([{ name: 'reviews', port: 443, targetPort: 'reviews' }])
    expect(at(service, 'spec.selector')).toEqual(deployment('template.metadata.labels'))
  })
  it('any replica answers any caller', () => expect(at(printed('Service'), 'spec.sessionAffinity')).toBeUndefined())
  it('9443 is for reviews, 8080 for metrics, 8081 for health', () => {
    expect(container('ports')).toEqual([
      { name: 'reviews', containerPort: 9443 },
      { name: 'metrics', containerPort: 8080 },
      { name: 'health', containerPort: 8081 },
    ])
  })
  it('and those are the defaults of the command', () => {
    const { port, metricsPort, healthPort } = argued()
    expect([port, metricsPort, healthPort]).toEqual([9443, 8080, 8081])
  })
  it('runs under tars-webhook', () => expect(pod('serviceAccountName')).toBe('tars-webhook'))
  it('is asked for its health at the health port', () => {
    expect(container('livenessProbe.httpGet')).toEqual({ path: '/livez', port: 'health' })
    expect(container('readinessProbe.httpGet')).toEqual({ path: '/readyz', port: 'health' })
  })
})

describe('the container', () => {
  it('runs the webhook with flags that the command takes', () => {
    expect(container('args.0')).toBe('webhook')
    expect(argued()).toMatchObject({ namespace: 'tars-system', manageConfigurations: true })
  })
  it('is told the URL where there is one', () => {
    expect(argued({ webhookUrl: 'https://a:1' }).webhookUrl).toBe('https://a:1')
  })
  it('asks for little, and is bounded in memory', () => {
    expect(container('resources')).toEqual({ requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } })
  })
})

it('the Secret has no data: empty values would wipe the CA with each kubectl apply', () => {
  expect(printed('Secret')).not.toHaveProperty('data')
})

/** What the command makes of the arguments of the container. */
function argued(wishes: Wishes = {}) {
  const args = at(printed('Deployment', wishes), 'spec.template.spec.containers.0.args')
  const flags = Array.isArray(args) ? args.slice(1).map(String) : []
  return configFrom({ args: flags, env: {}, names: SERVING, readFile: () => ({}) })
}

describe('the worker', () => {
  const worker = deploymentOf('worker')
  const container = (path: string) => worker(`template.spec.containers.0.${path}`)

  it('bears the name of its Lease, and runs under tars-controller (CV-4)', () => {
    expect(at(printed('Deployment', {}, 'worker'), 'metadata.name')).toBe('tars-admission-worker')
    expect(worker('template.spec.serviceAccountName')).toBe('tars-controller')
  })
  it('WR-7 knows its namespaces, of which the webhook is not told', () => {
    const argsOf = (command: Command) => {
      const deployment = printed('Deployment', { namespaces: ['a', 'b'] }, command)
      return at(deployment, 'spec.template.spec.containers.0.args')
    }
    expect(argsOf('worker')).toEqual(['worker', '--namespace=tars-system', '--namespaces=a,b'])
    expect(JSON.stringify(argsOf('webhook'))).not.toContain('--namespaces')
  })
  it('has flags that the command takes, and no file', () => {
    const args = at(
      printed('Deployment', { flags: ['--families=tars'] }, 'worker'),
      'spec.template.spec.containers.0.args',
    )
    expect(args).toEqual(['worker', '--namespace=tars-system', '--families=tars'])
    expect(container('volumeMounts')).toBeUndefined()
  })
  it('opens the ports of metrics and health', () => {
    expect(container('ports')).toEqual([
      { name: 'metrics', containerPort: 8080 },
      { name: 'health', containerPort: 8081 },
    ])
    const [health, metrics] = [8081, 8080].map((port) => [{ protocol: 'TCP', port }])
    expect(at(printed('NetworkPolicy', {}, 'worker'), 'spec.ingress')).toEqual([
      { ports: health },
      { ports: metrics, from: [{ namespaceSelector: { matchLabels: { metrics: 'enabled' } } }] },
    ])
  })
  it('gets no review: nothing that selects webhooks selects its pods', () => {
    const selectors = [at(printed('Service'), 'spec.selector'), deployment('selector.matchLabels')]
    const labels = worker('template.metadata.labels')
    for (const selector of selectors) expect(labels).not.toMatchObject(Object(selector))
    expect(deployment('template.metadata.labels')).not.toMatchObject(Object(worker('selector.matchLabels')))
  })
})

describe('whom the pods answer (SV-14)', () => {
  const printedWith = (wishes: Wishes) => ({
    container: at(printed('Deployment', wishes), 'spec.template.spec.containers.0'),
    volumes: at(printed('Deployment', wishes), 'spec.template.spec.volumes'),
  })

  it('is everybody, unless it is said', () => {
    expect(container('args')).toHaveLength(4)
    expect(printed('ConfigMap')).toBeUndefined()
    expect(workloads(INSTALLATION).filter(({ kind }) => kind === 'Secret')).toHaveLength(1)
  })
  it('is whoever has a certificate of the CA, by the names that are given', () => {
    const wishes = { clientCa: 'PEM', clientNames: ['a', 'b'] }
    const { container, volumes } = printedWith(wishes)
    expect(at(printed('ConfigMap', wishes), 'data')).toEqual({ 'ca.crt': 'PEM' })
    expect(at(container, 'args')).toEqual(
      expect.arrayContaining(['--client-ca=/etc/tars-admission/callers/ca.crt', '--client-names=a,b']),
    )
    expect(at(container, 'volumeMounts.1')).toEqual({
      name: 'callers',
      mountPath: '/etc/tars-admission/callers',
      readOnly: true,
    })
    expect(at(volumes, '1')).toEqual({ name: 'callers', configMap: { name: 'tars-webhook-callers' } })
  })
  it('is whoever knows the word, which stands in a Secret and in no argument', () => {
    const wishes = { secretPath: 'hunter2-hunter2' }
    const { container } = printedWith(wishes)
    const secrets = workloads({ ...INSTALLATION, ...wishes }).filter(({ kind }) => kind === 'Secret')
    expect(secrets).toMatchObject([
      { metadata: { name: 'tars-webhook-certs' } },
      { metadata: { name: 'tars-webhook-path' }, stringData: { path: 'hunter2-hunter2' } },
    ])
    expect(JSON.stringify(container)).not.toContain('hunter2')
    expect(at(container, 'env.0')).toEqual({
      name: 'TARS_ADMISSION_SECRET_PATH',
      valueFrom: { secretKeyRef: { name: 'tars-webhook-path', key: 'path' } },
    })
  })
})

describe('the NetworkPolicy (CV-3)', () => {
  const policy = (path: string) => at(printed('NetworkPolicy'), `spec.${path}`)

  it('is for our pods, and for what comes in', () => {
    expect(policy('podSelector.matchLabels')).toEqual(deployment('template.metadata.labels'))
    expect(policy('policyTypes')).toEqual(['Ingress'])
  })
  it.each([
    { monitoringLabel: 'metrics=enabled', matchLabels: { metrics: 'enabled' } },
    { monitoringLabel: 'example.com/monitoring=', matchLabels: { 'example.com/monitoring': '' } },
  ])(
    'lets reviews and probes come from anywhere, metrics be read from namespaces with $monitoringLabel, and nothing else (SV-16)',
    ({ monitoringLabel, matchLabels }) => {
      const port = (port: number) => [{ protocol: 'TCP', port }]
      expect(at(printed('NetworkPolicy', { monitoringLabel }), 'spec.ingress')).toEqual([
        { ports: port(9443) },
        { ports: port(8081) },
        { ports: port(8080), from: [{ namespaceSelector: { matchLabels } }] },
      ])
    },
  )
})
