import http, { type Agent, type OutgoingHttpHeaders } from 'node:http'
import https, { type RequestOptions } from 'node:https'
import { isDeepStrictEqual } from 'node:util'
import type { KubeConfig } from '@kubernetes/client-node'
import type { Clock } from '../../clock.ts'
import { Fault } from '../../faults.ts'

/** Files are read, tokens refreshed and plugins asked at most this often. */
const FRESH_MS = 1_000
/** A peer that died without a word is found by TCP within half a minute. */
export const KEEP_ALIVE_MS = 15_000
/** Under the 90 s of the API server, so that it never hangs up on a request that is just under way. */
const IDLE_MS = 60_000

export type Access = Pick<RequestOptions, 'agent' | 'auth'> & { readonly headers: OutgoingHttpHeaders }
type Material = Pick<RequestOptions, 'ca' | 'cert' | 'key' | 'passphrase' | 'servername' | 'rejectUnauthorized'>

/**
 * What lets a request in: one agent for all of them, replaced when certificates change, and headers, which may change
 * at any time. Behind a proxy it is the library's own agent.
 */
export class Credentials {
  readonly server: URL
  readonly #config: KubeConfig
  readonly #proxied: boolean
  readonly #clock: Clock
  #access: Promise<Access> | undefined
  #staleAt = 0
  #agent: Agent | undefined
  #material: Material = {}

  constructor(config: KubeConfig, clock: Clock) {
    const cluster = config.getCurrentCluster()
    if (cluster === null) throw new Fault('USAGE', 'the kubeconfig names no cluster as its current context')
    this.server = new URL(cluster.server)
    this.#proxied = Boolean(cluster.proxyUrl)
    this.#config = config
    this.#clock = clock
  }

  /** Calls that come together share one answer, a failure too: a plugin is not started for each of them. */
  access(): Promise<Access> {
    if (this.#access === undefined || this.#clock.tick() >= this.#staleAt) {
      this.#staleAt = Number.POSITIVE_INFINITY
      this.#access = this.#apply().finally(() => {
        this.#staleAt = this.#clock.tick() + FRESH_MS
      })
    }
    return this.#access
  }

  destroy(): void {
    this.#agent?.destroy()
  }

  async #apply(): Promise<Access> {
    const headers: OutgoingHttpHeaders = {}
    const options: RequestOptions = { headers }
    try {
      await this.#config.applyToHTTPSOptions(options)
    } catch {
      // The cause would quote what a plugin printed or a file held.
      throw new Fault('CLUSTER_UNREACHABLE', `no credentials for the API server at ${this.server.origin}`)
    }
    const { agent, auth, ca, cert, key, passphrase, servername, rejectUnauthorized } = options
    const ours = () => this.#agentFor({ ca, cert, key, passphrase, servername, rejectUnauthorized })
    return { headers, agent: this.#proxied ? agent : ours(), auth }
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

/** What is under way on it ends in its own time; nothing is kept for later. */
function retire(agent: Agent | undefined): void {
  if (agent === undefined) return
  agent.maxFreeSockets = 0
  for (const socket of Object.values(agent.freeSockets).flatMap((idle) => idle ?? [])) socket.destroy()
}
