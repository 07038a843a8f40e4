import { constants } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { imageEnv, imageFlags } from '../../support/image.ts'
import type { Cluster } from '../client.ts'
import type { Ended, Processes } from '../processes.ts'
import { hold, release } from './network.ts'
import { type Container, type Pod, type Probe, pathOf } from './pod.ts'
import { probing, urlOf } from './probe.ts'
import { type Env, envOf, type Mount, mountsOf } from './volumes.ts'

export interface PodContext {
  readonly cluster: Cluster
  readonly processes: Processes
  /** For the volumes of pods. */
  readonly folder: string
  readonly address: string
  /** To the log of the nodes. */
  readonly say: (event: string, fields: object) => void
  /** Then nothing is started any more. */
  readonly closing: AbortSignal
}

const ENTRYPOINT = [process.execPath, ...imageFlags(), join(process.cwd(), 'dist/tars-admission.js')]
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * A mount namespace of the pod's own, whose root file system is read only, with nothing in /run and /etc but what is
 * mounted there. What is executed last keeps the pid.
 */
const INSIDE = `
  set -e
  mount -t tmpfs pod /run
  mount -t tmpfs pod /etc
  [ -L /var/run ] || mount -t tmpfs pod /var/run
  while [ "$1" != -- ]; do mkdir -p "$2"; mount --bind "$1" "$2"; shift 2; done
  shift
  mount -o remount,bind,ro /
  exec "$@"
`

interface Terminated {
  readonly exitCode: number
  readonly startedAt: string
  readonly finishedAt: string
}

/** A pod of one container, as a process on an address of its own. */
export class RunningPod {
  readonly #pod: Pod
  readonly #container: Container
  readonly #context: PodContext
  readonly #ending = new AbortController()
  readonly #over: AbortSignal
  readonly #ran: Promise<void>
  #reported: Promise<unknown> = Promise.resolve()
  /** The container of now, or the last one. */
  #running: Promise<Ended> | undefined
  #restarts = 0
  #isReady = false
  /** Undefined while it is down. */
  #startedAt: string | undefined
  #last: Terminated | undefined

  constructor(pod: Pod, context: PodContext) {
    this.#pod = pod
    this.#container = pod.spec.containers[0]
    this.#context = context
    this.#over = AbortSignal.any([this.#ending.signal, context.closing])
    this.#ran = this.#run().catch((cause) => this.#say('failed', { why: String(cause) }))
  }

  /** Asks the container to end, kills it when its time is up, and takes the pod from the API server. */
  async end(graceSeconds: number): Promise<void> {
    const { cluster, processes, address, closing } = this.#context
    if (this.#ending.signal.aborted) {
      if (graceSeconds === 0) processes.signal(this.#pod.metadata.name, 'SIGKILL') // a second SIGTERM would mean more
      return
    }
    this.#ending.abort()
    await this.#terminate(graceSeconds)
    await this.#ran
    if (closing.aborted) return
    await this.#report(this.#last?.exitCode === 0 ? 'Succeeded' : 'Failed')
    release(address)
    const gone = { gracePeriodSeconds: 0, preconditions: { uid: this.#pod.metadata.uid } }
    await cluster.request('DELETE', pathOf(this.#pod), gone)
    this.#say('gone')
  }

  async #run(): Promise<void> {
    const { cluster, folder, address } = this.#context
    hold(address)
    const mounts = await mountsOf(this.#pod, cluster, join(folder, this.#pod.metadata.name))
    const env = await envOf(this.#pod, cluster)
    while (!this.#over.aborted) {
      await this.#runContainer(mounts, env)
      await sleep(backoffMs(this.#restarts), undefined, { signal: this.#over }).catch(() => undefined)
      this.#restarts += 1
    }
  }

  async #runContainer(mounts: readonly Mount[], env: Env): Promise<void> {
    const stopped = new AbortController()
    const startedAt = now()
    this.#startedAt = startedAt
    this.#report()
    this.#running = this.#start(mounts, env)
    this.#probe(stopped.signal)
    const ended = await this.#running
    stopped.abort()
    this.#say('ended', { code: ended.code, signal: ended.signal })
    this.#last = { exitCode: exitCodeOf(ended), startedAt, finishedAt: now() }
    this.#startedAt = undefined
    this.#isReady = false
    if (!this.#over.aborted) this.#report()
  }

  #start(mounts: readonly Mount[], env: Env): Promise<Ended> {
    const { address, cluster, processes } = this.#context
    const { args = [] } = this.#container
    const { name } = this.#pod.metadata
    const { hostname, port } = new URL(cluster.url)
    const volumes = mounts.flatMap(({ from, at }) => [from, at])
    this.#say('starts', { address })
    return processes.run({
      name,
      command: 'unshare',
      args: ['--mount', 'sh', '-c', INSIDE, 'sh', ...volumes, '--', ...ENTRYPOINT, ...args],
      env: {
        PATH,
        ...imageEnv(),
        HOSTNAME: name,
        KUBERNETES_SERVICE_HOST: hostname,
        KUBERNETES_SERVICE_PORT: port,
        ...env,
        TARS_ADMISSION_HOST: address, // all pods share one network namespace
      },
    })
  }

  #probe(until: AbortSignal): void {
    const { livenessProbe, readinessProbe } = this.#container
    const ask = (probe: Probe | undefined, tell: (holds: boolean) => void) => {
      if (probe === undefined) return tell(true)
      const url = urlOf(probe, this.#context.address, this.#container)
      void probing({ probe, url, tell }, until)
    }
    ask(readinessProbe, (isReady) => {
      if (isReady === this.#isReady) return
      this.#isReady = isReady
      this.#say(isReady ? 'ready' : 'not ready')
      this.#report()
    })
    ask(livenessProbe, (isAlive) => {
      if (isAlive || this.#over.aborted) return
      this.#say('not alive')
      void this.#terminate(this.#pod.spec.terminationGracePeriodSeconds)
    })
  }

  /** Until the container that runs now has ended. */
  async #terminate(graceSeconds: number): Promise<void> {
    const { processes, closing } = this.#context
    const { name } = this.#pod.metadata
    this.#say('told to end', { graceSeconds })
    processes.signal(name, graceSeconds === 0 ? 'SIGKILL' : 'SIGTERM')
    const late = setTimeout(() => processes.signal(name, 'SIGKILL'), graceSeconds * 1_000)
    closing.addEventListener('abort', () => clearTimeout(late))
    await this.#running
    clearTimeout(late)
  }

  /** One after the other, each with what is true by then. */
  #report(phase = 'Running'): Promise<unknown> {
    const { cluster, closing } = this.#context
    const contentType = 'application/strategic-merge-patch+json'
    const send = () =>
      cluster.request('PATCH', `${pathOf(this.#pod)}/status`, { status: this.#status(phase) }, { contentType })
    this.#reported = this.#reported.then(() => (closing.aborted ? undefined : send())).catch(() => undefined)
    return this.#reported
  }

  #status(phase: string): object {
    const { address } = this.#context
    const { name, image } = this.#container
    const [last, startedAt] = [this.#last && { terminated: this.#last }, this.#startedAt]
    const state = startedAt === undefined ? last : { running: { startedAt } }
    const ready = this.#isReady
    return {
      phase,
      hostIP: address,
      podIP: address,
      podIPs: [{ ip: address }],
      startTime: startedAt,
      conditions: [condition('Initialized', true), condition('ContainersReady', ready), condition('Ready', ready)],
      containerStatuses: [{ name, image, imageID: '', ready, restartCount: this.#restarts, state, lastState: last }],
    }
  }

  #say(event: string, fields: object = {}): void {
    this.#context.say(event, { pod: this.#pod.metadata.name, ...fields })
  }
}

const now = () => new Date().toISOString()
const condition = (type: string, holds: boolean) => ({
  type,
  status: holds ? 'True' : 'False',
  lastTransitionTime: now(),
})

/** At once the first time, then as a kubelet does: 10 s, and twice as long each time. */
const backoffMs = (restarts: number) => (restarts === 0 ? 0 : Math.min(10_000 * 2 ** (restarts - 1), 300_000))

const exitCodeOf = ({ code, signal }: Ended) => code ?? 128 + (signal === null ? 0 : constants.signals[signal])
