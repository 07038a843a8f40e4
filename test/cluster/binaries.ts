import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cached } from './go-modules.ts'

export interface Binaries {
  readonly etcd: string
  readonly apiServer: string
  readonly kubectl: string
  /** Absent where KUBEBUILDER_ASSETS is set: envtest has none. */
  readonly controllers?: Controllers
}

export interface Controllers {
  readonly manager: string
  readonly scheduler: string
}

export interface Kwok {
  readonly binary: string
  /** How its nodes and pods become Ready; without them it does nothing and exits. */
  readonly stages: string
}

const KUBERNETES = import.meta.dirname
const KWOK = join(import.meta.dirname, 'kwok')
const STAGES = ['node/fast', 'node/heartbeat', 'pod/fast']

export async function binaries(): Promise<Binaries> {
  const assets = process.env.KUBEBUILDER_ASSETS
  if (assets) return assetsIn(assets)
  const version = kubernetesVersion()
  const folder = await cached(
    {
      folder: KUBERNETES,
      what: `kube-apiserver ${version} and its neighbours, about 6 minutes the first time`,
      otherwise:
        ', or set KUBEBUILDER_ASSETS to a folder with etcd, kube-apiserver and kubectl (setup-envtest use -p path)',
    },
    (into, go) => go('build', '-trimpath', `-ldflags=${versionFlags(version)}`, '-o', into, 'tool'),
  )
  return {
    etcd: join(folder, 'server'),
    apiServer: join(folder, 'kube-apiserver'),
    kubectl: join(folder, 'kubectl'),
    controllers: { manager: join(folder, 'kube-controller-manager'), scheduler: join(folder, 'kube-scheduler') },
  }
}

export async function kwok(): Promise<Kwok> {
  const folder = await cached({ folder: KWOK, what: 'kwok, about 80 seconds the first time' }, async (into, go) => {
    await go('build', '-trimpath', '-ldflags=-s -w', '-o', into, 'tool')
    writeFileSync(join(into, 'stages.yaml'), await kwokStages())
  })
  return { binary: join(folder, 'kwok'), stages: join(folder, 'stages.yaml') }
}

function assetsIn(folder: string): Binaries {
  const file = (name: string) => join(folder, name)
  const missing = ['etcd', 'kube-apiserver', 'kubectl'].filter((name) => !existsSync(file(name)))
  if (missing.length > 0) {
    throw new Error(
      `KUBEBUILDER_ASSETS is ${folder}, which has no ${missing.join(', no ')}. ` +
        'Fill it (setup-envtest use -p path), or unset it and have Go build a control plane.',
    )
  }
  return {
    etcd: file('etcd'),
    apiServer: file('kube-apiserver'),
    kubectl: file('kubectl'),
  }
}

function kubernetesVersion(): string {
  const [, version] = /k8s\.io\/kubernetes (v[\d.]+)/.exec(readFileSync(join(KUBERNETES, 'go.mod'), 'utf8')) ?? []
  if (version === undefined) throw new Error('test/cluster/go.mod names no version of k8s.io/kubernetes')
  return version
}

/** Without these kubectl takes the API server for one of no version, and refuses it. */
function versionFlags(version: string): string {
  const [major, minor] = version.slice(1).split('.')
  const facts = {
    gitVersion: version,
    gitMajor: major,
    gitMinor: minor,
    gitTreeState: 'clean',
  }
  const flags = Object.entries(facts).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
  return ['-s', '-w', ...flags].join(' ')
}

/** The stages are files of kwok's module, not part of its binary. */
async function kwokStages(): Promise<string> {
  const list = ['list', '-m', '-f', '{{.Dir}}', 'sigs.k8s.io/kwok']
  const { stdout } = await promisify(execFile)('go', list, { cwd: KWOK })
  const folders = STAGES.map((stage) => join(stdout.trim(), 'kustomize/stage', stage))
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /^(node|pod)-.*\.yaml$/.test(name))
      .map((name) => join(folder, name)),
  )
  return files.map((file) => readFileSync(file, 'utf8')).join('\n---\n')
}
