import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { text } from 'node:stream/consumers'
import type { ClusterFacts } from '../cluster/client.ts'

/** Writes as admin on connections that are kept, as kubectl and controllers do; answers how many milliseconds it took. */
export type Post = (path: string, body: object) => Promise<number>

export function postsTo({ url, ca, tokens }: ClusterFacts, connections: number): { post: Post; close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, ca: readFileSync(ca) })
  const headers = { authorization: `Bearer ${tokens.admin}`, 'content-type': 'application/json' }
  async function post(path: string, body: object): Promise<number> {
    const started = performance.now()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const outgoing = request(new URL(path, url), { method: 'POST', headers, agent }, async (response) => {
      const shown = await text(response)
      if (response.statusCode === 201) resolve()
      else reject(new Error(`${response.statusCode}: ${shown}`))
    })
    outgoing.on('error', reject).end(JSON.stringify(body))
    await promise
    return performance.now() - started
  }
  return { post, close: () => agent.destroy() }
}
