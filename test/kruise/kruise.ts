import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Cluster } from '../cluster/client.ts'
import { freePort } from '../cluster/control-plane.ts'
import { cached } from '../cluster/go-modules.ts'
import { processesIn } from '../cluster/processes.ts'
import { expectDone } from '../cluster/product.ts'
import { until } from '../cluster/until.ts'

export interface Kruise {
  /** Ends the manager and takes its webhooks away: that of pods would refuse every pod. */
  stop(): Promise<void>
}

const FOLDER = import.meta.dirname
const NAMESPACE = 'kruise-system'
const HOST = '127.0.0.1'

/** The manager of OpenKruise with its webhooks, ready to work. */
export async function startKruise(cluster: Cluster): Promise<Kruise> {
  const folder = await kruiseFolder()
  await install(cluster, await moduleFolder())
  const place = mkdtempSync(join(cluster.folder, 'kruise-'))
  const certificates = join(place, 'certificates')
  mkdirSync(certificates)
  const [webhook, metrics, health, pprof] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const processes = processesIn(place, cluster.logs)
  async function stop() {
    await processes.close()
    await cluster.kubectl(['delete', '--ignore-not-found', ...CONFIGURATIONS])
  }
  const environment = {
    KUBECONFIG: cluster.kubeconfig('admin'),
    POD_NAMESPACE: NAMESPACE,
    WEBHOOK_HOST: HOST,
    WEBHOOK_PORT: String(webhook),
    WEBHOOK_CERT_DIR: certificates,
  }
  processes.keep({
    name: 'kruise-manager',
    command: join(folder, 'kruise'),
    args: [
      `--metrics-addr=${HOST}:${metrics}`,
      `--health-probe-addr=${HOST}:${health}`,
      `--pprof-addr=${HOST}:${pprof}`,
      `--leader-election-namespace=${NAMESPACE}`,
      '--feature-gates=AllAlpha=false',
    ],
    env: { ...process.env, ...environment },
  })
  try {
    await until('the manager of Kruise is ready', () => isWell(`http://${HOST}:${health}/readyz`), {
      seconds: 60,
      unless: processes.failed,
    })
  } catch (cause) {
    await stop()
    throw cause
  }
  return { stop }
}

export const kruiseFolder = () =>
  cached({ folder: FOLDER, what: 'the manager of Kruise, about 11 minutes the first time' }, (into, go) =>
    go('build', '-p=1', '-trimpath', '-ldflags=-s -w', '-o', `${into}/`, 'tool'),
  )

/** Its CustomResourceDefinitions and configurations are files of its module, not part of its binary. */
async function moduleFolder(): Promise<string> {
  const list = ['list', '-m', '-f', '{{.Dir}}', 'github.com/openkruise/kruise']
  const { stdout } = await promisify(execFile)('go', list, { cwd: FOLDER })
  return stdout.trim()
}

const CONFIGURATIONS = [
  'mutatingwebhookconfiguration/kruise-mutating-webhook-configuration',
  'validatingwebhookconfiguration/kruise-validating-webhook-configuration',
]

async function install(cluster: Cluster, module: string): Promise<void> {
  const apply = async (stdin: string) =>
    expectDone(await cluster.kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], { stdin }))
  const built = async (part: string) => {
    const printed = await cluster.kubectl(['kustomize', join(module, 'config', part)])
    expectDone(printed)
    return printed.stdout
  }
  await apply(`apiVersion: v1\nkind: Namespace\nmetadata: {name: ${NAMESPACE}}\n`)
  await apply(await built('crd'))
  await apply(
    (await built('webhook')).replaceAll(/name: ((mutat|validat)ing-webhook-configuration)/g, 'name: kruise-$1'),
  )
}

async function isWell(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}
