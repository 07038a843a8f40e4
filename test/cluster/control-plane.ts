import { generateKeyPairSync, randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { type Binaries, type Controllers, binaries as findOrBuild } from './binaries.ts'
import { type Cluster, type ClusterFacts, clientOf, isReady, USERS, type User } from './client.ts'
import { etcdProgram } from './etcd-program.ts'
import { writeKubeconfig } from './kubeconfig.ts'
import { type Program, processesIn } from './processes.ts'
import { until } from './until.ts'

export interface ControlPlane extends Cluster {
  /** What `clientOf` needs to be this client in another process. */
  readonly facts: ClusterFacts
  /** Leaves nothing running, and of its files only the logs, if they are to be kept. */
  stop(options?: { readonly keepLogs?: boolean }): Promise<void>
}

const LOOPBACK = '127.0.0.1'

interface Options {
  /** Those of KUBEBUILDER_ASSETS or of the cache, built if need be, when absent. */
  readonly binaries?: Binaries
  /**
   * Where pods run, at addresses of their own, this is that of the API server: it then calls webhooks by their Service,
   * straight at the pods, and pods get tokens. Otherwise it is on the loopback.
   */
  readonly amongPods?: string
  /** Of all writes of our kinds, so that the audit log shows what the policy that we ship keeps out of it. */
  readonly bodiesAudited?: true
  /** After the usual ones. */
  readonly apiServerFlags?: readonly string[]
}

/** etcd, kube-apiserver and kube-controller-manager on free ports, ready to work. */
export async function startControlPlane(options: Options = {}): Promise<ControlPlane> {
  const binaries = options.binaries ?? (await findOrBuild())
  const place = mkdtempSync(join(tmpdir(), 'tars-admission-cluster-'))
  const folder = join(place, 'run')
  const logs = join(place, 'logs')
  for (const path of [folder, logs]) mkdirSync(path)

  const port = await freePort()
  const facts: ClusterFacts = {
    url: `https://${options.amongPods ?? LOOPBACK}:${port}`,
    port,
    ca: join(folder, 'apiserver.crt'),
    auditLog: join(logs, 'audit.log'),
    logs,
    folder,
    binaries,
    tokens: freshTokens(),
  }
  const cluster = clientOf(facts)
  const processes = processesIn(folder, logs)

  try {
    writeInputs(facts, options)
    const etcdPort = await freePort()
    processes.keep(etcdOn(facts, etcdPort, await freePort()))
    processes.keep(apiServer(facts, etcdPort, options))
    await until('the API server is ready', () => isReady(cluster.request), { unless: processes.failed })
    for (const user of USERS) writeKubeconfig(cluster.kubeconfig(user), facts, facts.tokens[user])
    if (binaries.controllers !== undefined) {
      processes.keep(controllerManager(cluster, binaries.controllers))
      await until('controllers work', () => controllersWork(cluster), { unless: processes.failed })
    }
  } catch (cause) {
    await processes.close()
    throw new Error(`no control plane, logs in ${logs}`, { cause })
  }
  processes.failed.addEventListener('abort', () =>
    process.stderr.write(`${processes.failed.reason}\nlogs in ${logs}\n`),
  )

  return {
    ...cluster,
    facts,
    async stop({ keepLogs = false } = {}) {
      await processes.close()
      if (!keepLogs) rmSync(place, { recursive: true, force: true })
    },
  }
}

function etcdOn({ folder, binaries }: ClusterFacts, port: number, peerPort: number): Program {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`]
  return etcdProgram({ command: binaries.etcd, data: join(folder, 'etcd'), client, peer })
}

function apiServer({ folder, port, auditLog, binaries }: ClusterFacts, etcdPort: number, options: Options): Program {
  const { amongPods, apiServerFlags = [] } = options
  const address = amongPods ?? LOOPBACK
  const key = join(folder, 'service-accounts.key')
  return {
    name: 'kube-apiserver',
    command: binaries.apiServer,
    args: [
      `--etcd-servers=http://127.0.0.1:${etcdPort}`,
      `--bind-address=${address}`,
      `--advertise-address=${address}`, // its own certificate is for this; the default is that of a network card
      `--secure-port=${port}`,
      `--cert-dir=${folder}`,
      '--service-cluster-ip-range=10.0.0.0/24',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${key}`,
      `--service-account-signing-key-file=${key}`,
      `--token-auth-file=${join(folder, 'tokens.csv')}`,
      '--authorization-mode=RBAC',
      '--endpoint-reconciler-type=none', // endpoints may not be on the loopback
      '--enable-admission-plugins=OwnerReferencesPermissionEnforcement', // owner references take rights on owners (SC-2)
      amongPods ? '--enable-aggregator-routing=true' : WITHOUT_KUBELET,
      `--audit-policy-file=${join(folder, 'audit-policy.json')}`,
      `--audit-log-path=${auditLog}`,
      '--audit-log-maxsize=0', // never rotated: a test reads on where it stood
      ...apiServerFlags,
    ],
  }
}

/** Nobody there could give pods a token. */
const WITHOUT_KUBELET = '--disable-admission-plugins=ServiceAccount'

function controllerManager({ folder, ca, kubeconfig }: Cluster, { manager }: Controllers): Program {
  return {
    name: 'kube-controller-manager',
    command: manager,
    args: [
      `--kubeconfig=${kubeconfig('system:kube-controller-manager')}`,
      `--root-ca-file=${ca}`,
      `--service-account-private-key-file=${join(folder, 'service-accounts.key')}`,
      '--use-service-account-credentials',
      '--leader-elect=false',
      '--secure-port=0',
      '--kube-api-qps=500', // with the default of 20 it takes 4 s longer to start
      '--kube-api-burst=1000',
      '--node-monitor-grace-period=10m', // a simulated Node beats 20 to 45 s after its last change, each label counts
    ],
  }
}

/** For suites with nodes; without it no pod is bound to one. */
export function schedulerOf(cluster: Cluster): Program {
  return {
    name: 'kube-scheduler',
    command: cluster.needControllers().scheduler,
    args: [`--kubeconfig=${cluster.kubeconfig('system:kube-scheduler')}`, '--leader-elect=false', '--secure-port=0'],
  }
}

function writeInputs({ folder, tokens }: ClusterFacts, { bodiesAudited }: Options): void {
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content, { mode: 0o600 })
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  write('service-accounts.key', privateKey.export({ type: 'pkcs1', format: 'pem' }).toString())
  const groups = (user: User) => (user === 'admin' ? ',system:masters' : '')
  write('tokens.csv', USERS.map((user) => `${tokens[user]},${user},${user}${groups(user)}\n`).join(''))
  const { rules: shipped } = parse(readFileSync('manifests/audit/policy.yaml', 'utf8'))
  const bodies = {
    level: 'RequestResponse',
    verbs: ['create', 'update', 'patch'],
    resources: [{ group: 'k8s.tars.io' }],
  }
  const rules = [...shipped, ...(bodiesAudited ? [bodies] : []), { level: 'Metadata' }]
  const policy = { omitStages: ['RequestReceived'], rules }
  write('audit-policy.json', JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', ...policy }))
}

function freshTokens(): Record<User, string> {
  const token = () => randomBytes(16).toString('hex')
  return {
    admin: token(),
    ann: token(),
    eve: token(),
    'system:kube-controller-manager': token(),
    'system:kube-scheduler': token(),
  }
}

async function controllersWork({ request }: Cluster): Promise<boolean> {
  const { status } = await request('GET', '/api/v1/namespaces/default/serviceaccounts/default')
  return status === 200
}

/** Below the ports that outgoing connections get: none of them may take it while the API server restarts. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = randomInt(20_000, 32_000)
  try {
    await once(server.listen(port, LOOPBACK), 'listening')
  } catch {
    return freePort()
  }
  await once(server.close(), 'close')
  return port
}
