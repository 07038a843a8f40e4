import { readFileSync } from 'node:fs'
import type { Cluster } from '../client.ts'
import { pidIn } from '../processes.ts'
import { expectDone, IDENTITY, tarsAdmission } from '../product.ts'
import { until } from '../until.ts'
import { nodesLog, podFolder } from './nodes.ts'

export const DEPLOYMENT = 'deployment/tars-admission'
export const WORKER = 'tars-admission-worker'
const WEBHOOKS = 'app.kubernetes.io/component=webhook'
const IN = `--namespace=${IDENTITY.namespace}`

/** Our installation as a cluster runs it: the printed manifests as they are, and pods behind the Service. */
export interface Installation {
  kubectl(...args: readonly string[]): Promise<string>
  scale(replicas: number): Promise<void>
  /** Waits until the Deployment is as it should be. Pods that still end do not count. */
  rolledOut(): Promise<void>
  /** Waits until those have ended too. */
  settled(): Promise<void>
  /** Those of the webhook that are not about to go. */
  pods(): Promise<readonly OurPod[]>
  /** How containers of the webhook ended since then, as their nodes saw it. */
  endingsSince(moment: Date): readonly Ending[]
}

export interface OurPod {
  readonly name: string
  readonly address: string
  readonly node: string
  readonly isReady: boolean
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
export async function installed(cluster: Cluster, ...flags: readonly string[]): Promise<Installation> {
  const stdin = await tarsAdmission('manifests', ...flags)
  expectDone(await cluster.kubectl(['apply', '-f', '-'], { stdin }))

  async function kubectl(...args: readonly string[]): Promise<string> {
    const printed = await cluster.kubectl([...args, IN])
    expectDone(printed)
    return printed.stdout
  }
  const listed = async (): Promise<readonly ListedPod[]> =>
    JSON.parse(await kubectl('get', 'pods', '-l', WEBHOOKS, '-o', 'json')).items
  const status = ['rollout', 'status', DEPLOYMENT, IN, '--timeout=50s']
  const isRolledOut = async () => (await cluster.kubectl(status)).code === 0
  const rolledOut = () => until('the Deployment is rolled out', isRolledOut, { seconds: 150 })
  const isSettled = async () => (await listed()).every(staying)

  async function settled(): Promise<void> {
    await rolledOut()
    await until('pods that were told to end have ended', isSettled)
  }
  await settled()
  return {
    kubectl,
    rolledOut,
    async scale(replicas) {
      await kubectl('scale', DEPLOYMENT, `--replicas=${replicas}`)
      await rolledOut()
    },
    settled,
    pods: async () => (await listed()).filter(staying).map((pod) => ourPod(pod, cluster)),
    endingsSince: (moment) =>
      readFileSync(nodesLog(cluster), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ event, at }) => event === 'ended' && new Date(at) >= moment)
        .filter(({ pod }) => !String(pod).startsWith(WORKER)),
  }
}

interface ListedPod {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string }
  readonly spec: { readonly nodeName: string }
  readonly status: { readonly podIP: string; readonly containerStatuses: readonly [ContainerStatus] }
}

interface ContainerStatus {
  readonly ready: boolean
  readonly restartCount: number
}

const staying = ({ metadata }: ListedPod) => metadata.deletionTimestamp === undefined

function ourPod({ metadata: { name }, spec, status }: ListedPod, cluster: Cluster): OurPod {
  const [{ ready: isReady, restartCount: restarts }] = status.containerStatuses
  return { name, address: status.podIP, node: spec.nodeName, isReady, restarts, pid: pidIn(podFolder(cluster), name) }
}
