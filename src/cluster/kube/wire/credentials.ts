import http, { type Agent, type OutgoingHttpHeaders } from 'node:http'
import https, { type RequestOptions } from 'node:https'
import { isDeepStrictEqual } from 'node:util'
import type { KubeConfig } from '@kubernetes/client-node'
import { Fault } from '../../../faults.ts'
import type { Clock } from '../../../timing/clock.ts'

/** Files are read, tokens refreshed and plugins run at most this often. */
const FRESH_MS = 1_000
/** The wait for a plugin; the next call runs it again. */
const PLUGIN_MS = 60_000
/** A peer that died without a word is found by TCP within half a minute. */
export const KEEP_ALIVE_MS = 15_000
/** Below the 90 s of the API server, so that it never closes a connection just as a request is sent. */
const IDLE_MS = 60_000

export type Access = Pick<RequestOptions, 'agent' | 'auth'> & { readonly headers: OutgoingHttpHeaders }
type Material = Pick<RequestOptions, 'ca' | 'cert' | 'key' | 'passphrase' | 'servername' | 'rejectUnauthorized'>

/**
 * What lets a request in: one agent for all of them, replaced when certificates change, and headers, which may change
 * at any time. Behind a proxy it is the library's own agent.
 */
export class Credentials {
  readonly server: URL
  readonly #load: () => Promise<KubeConfig>
  readonly #proxied: boolean
  readonly #clock: Clock
  #config: KubeConfig
  #isDistrusted = false
  #access: Promise<Access> | undefined
  #staleAt = 0
  #agent: Agent | undefined
  #material: Material = {}

  /** `load` gives the same again, as it is by then. */
  constructor(config: KubeConfig, load: () => Promise<KubeConfig>, clock: Clock) {
    const cluster = config.getCurrentCluster()
    if (cluster === null) throw new Fault('USAGE', 'the kubeconfig names no cluster as its current context')
    this.server = new URL(cluster.server)
    this.#proxied = Boolean(cluster.proxyUrl)
    this.#config = config
    this.#load = load
    this.#clock = clock
  }

  /** Calls that come together share one answer, a failure too: a plugin is not started for each of them. */
  access(): Promise<Access> {
    if (this.#access === undefined || this.#clock.tick() >= this.#staleAt) {
      this.#staleAt = this.#clock.tick() + PLUGIN_MS
      this.#access = this.#apply().finally(() => {
        this.#staleAt = this.#clock.tick() + FRESH_MS
      })
    }
    return this.#access
  }

  /**
   * One side did not believe the other. What the library has read it keeps for a minute by the wall clock, for longer
   * when that is set back, and what stands in a kubeconfig for good; so all of it is read again.
   */
  distrust(): void {
    this.#isDistrusted = true
  }

  /** Idle connections. */
  hangUp(): void {
    hangUpIdle(this.#agent)
  }

  destroy(): void {
    this.#agent?.destroy()
  }

  async #apply(): Promise<Access> {
    const headers: OutgoingHttpHeaders = {}
    const options: RequestOptions = { headers }
    try {
      if (this.#isDistrusted) await this.#reload()
      await this.#config.applyToHTTPSOptions(options)
    } catch {
      // The cause would quote what a plugin printed or a file held.
      throw new Fault('CLUSTER_UNREACHABLE', `no credentials for the API server at ${this.server.origin}`)
    }
    const { agent, auth, ca, cert, key, passphrase, servername, rejectUnauthorized } = options
    const ours = () => this.#agentFor({ ca, cert, key, passphrase, servername, rejectUnauthorized })
    return { headers, agent: this.#proxied ? agent : ours(), auth }
  }

  /** A file that leads elsewhere by now is for the next start: what it holds is not for this API server. */
  async #reload(): Promise<void> {
    const config = await this.#load()
    this.#isDistrusted = false
    if (config.getCurrentCluster()?.server === this.#config.getCurrentCluster()?.server) this.#config = config
  }

  #agentFor(material: Material): Agent {
    if (this.#agent !== undefined && isDeepStrictEqual(material, this.#material)) return this.#agent
    retire(this.#agent)
    const { Agent } = this.server.protocol === 'http:' ? http : https
    this.#material = material
    this.#agent = new Agent({ keepAlive: true, keepAliveMsecs: KEEP_ALIVE_MS, timeout: IDLE_MS, ...material })
    return this.#agent
  }
}

/** Requests in flight finish; no connection is kept. */
function retire(agent: Agent | undefined): void {
  if (agent === undefined) return
  agent.maxFreeSockets = 0
  hangUpIdle(agent)
}

function hangUpIdle(agent: Agent | undefined): void {
  for (const socket of Object.values(agent?.freeSockets ?? {}).flatMap((idle) => idle ?? [])) socket.destroy()
}
