import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { text } from 'node:stream/consumers'
import type { ClusterFacts } from '../cluster/client.ts'

/** Answers the object; every other answer is an error. */
export type Send = (method: string, path: string, body?: object, contentType?: string) => Promise<unknown>
/** Creates as admin, as kubectl and controllers do; answers how many milliseconds it took. */
export type Post = (path: string, body: object) => Promise<number>

/** On connections that are kept. */
export function callsTo({ url, ca }: Pick<ClusterFacts, 'url' | 'ca'>, token: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, ca: readFileSync(ca) })
  const send: Send = async (method, path, body, contentType = 'application/json') => {
    const sent = JSON.stringify(body)
    const headers = {
      authorization: `Bearer ${token}`,
      ...(sent && { 'content-type': contentType, 'content-length': Buffer.byteLength(sent) }),
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const outgoing = request(new URL(path, url), { method, headers, agent }, async (response) => {
      const shown = await text(response)
      const { statusCode = 0 } = response
      if (statusCode >= 200 && statusCode < 300) resolve(JSON.parse(shown))
      else reject(new Error(`${statusCode}: ${shown}`))
    })
    outgoing.on('error', reject).end(sent)
    return promise
  }
  return { send, close: () => agent.destroy() }
}

export function postsTo(facts: ClusterFacts, connections: number): { post: Post; close: () => void } {
  const { send, close } = callsTo(facts, facts.tokens.admin, connections)
  async function post(path: string, body: object): Promise<number> {
    const started = performance.now()
    await send('POST', path, body)
    return performance.now() - started
  }
  return { post, close }
}
