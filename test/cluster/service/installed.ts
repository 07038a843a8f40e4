import { readFileSync } from 'node:fs'
import type { Cluster } from '../client.ts'
import { pidIn } from '../processes.ts'
import { expectDone, IDENTITY, tarsAdmission } from '../product.ts'
import { nodesLog, podFolder } from './nodes.ts'

export const DEPLOYMENT = 'deployment/tars-admission'
const IN = `--namespace=${IDENTITY.namespace}`

/** Our installation as a cluster runs it: the printed manifests as they are, and pods behind the Service. */
export interface Installation {
  kubectl(...args: readonly string[]): Promise<string>
  scale(replicas: number): Promise<void>
  /** Waits until the Deployment is as it should be. Pods that still end do not count. */
  rolledOut(): Promise<void>
  /** Those that are not about to go. */
  pods(): Promise<readonly OurPod[]>
  /** How pods ended so far, by their nodes. */
  endings(): readonly Ending[]
}

export interface OurPod {
  readonly name: string
  readonly address: string
  readonly node: string
  readonly restarts: number
  readonly pid: number | undefined
}

export interface Ending {
  readonly at: string
  readonly pod: string
  readonly code: number | null
  readonly signal: string | null
}

/** Applies the manifests, which changes nothing where another suite has done so, and waits for the pods. */
export async function installed(cluster: Cluster): Promise<Installation> {
  const stdin = await tarsAdmission('manifests')
  expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin }))

  async function kubectl(...args: readonly string[]): Promise<string> {
    const printed = await cluster.kubectl([...args, IN])
    expectDone(printed)
    return printed.stdout
  }
  const rolledOut = async () => void (await kubectl('rollout', 'status', DEPLOYMENT, '--timeout=50s'))
  await rolledOut()
  return {
    kubectl,
    rolledOut,
    async scale(replicas) {
      await kubectl('scale', DEPLOYMENT, `--replicas=${replicas}`)
      await rolledOut()
    },
    async pods() {
      const { items } = JSON.parse(await kubectl('get', 'pods', '-o', 'json'))
      return items.filter(staying).map((pod: ListedPod) => ourPod(pod, cluster))
    },
    endings: () =>
      readFileSync(nodesLog(cluster), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ event }) => event === 'ended'),
  }
}

interface ListedPod {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string }
  readonly spec: { readonly nodeName: string }
  readonly status: { readonly podIP: string; readonly containerStatuses: readonly [{ readonly restartCount: number }] }
}

const staying = ({ metadata }: ListedPod) => metadata.deletionTimestamp === undefined

function ourPod({ metadata: { name }, spec, status }: ListedPod, cluster: Cluster): OurPod {
  const [{ restartCount: restarts }] = status.containerStatuses
  return { name, address: status.podIP, node: spec.nodeName, restarts, pid: pidIn(podFolder(cluster), name) }
}
