import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import type { Response } from '../admission/response.ts'
import type { Call } from '../cluster/registered-webhooks.ts'
import { Fault } from '../faults.ts'
import { isTree } from '../schema.ts'

/** A server that is asked over the network, as an API server asks it. */
export function remoteWebhook(server: string, ca: string | undefined): Call {
  return async ({ path, timeoutSeconds }, review) => {
    const url = new URL(`${path}?timeout=${timeoutSeconds}s`, server)
    const { code, body } = await post(url, JSON.stringify(review), { ca, timeoutMs: timeoutSeconds * 1_000 })
    const answered: unknown = code === 200 ? parsed(body) : undefined
    if (isTree(answered) && isResponse(answered.response)) return answered.response
    throw new Fault('CLUSTER_UNREACHABLE', `${url.origin} answered with HTTP ${code} and no review`)
  }
}

function isResponse(value: unknown): value is Response {
  return isTree(value) && typeof value.uid === 'string' && typeof value.allowed === 'boolean'
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

interface Reach {
  readonly ca: string | undefined
  readonly timeoutMs: number
}

async function post(url: URL, body: string, { ca, timeoutMs }: Reach) {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number; body: string }>()
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const options = { method: 'POST', headers, signal: AbortSignal.timeout(timeoutMs), ...(ca !== undefined && { ca }) }
  request(url, options, (response) => {
    text(response).then((said) => resolve({ code: response.statusCode ?? 0, body: said }), reject)
  })
    .on('error', reject)
    .end(body)
  try {
    return await promise
  } catch (cause) {
    throw new Fault('CLUSTER_UNREACHABLE', `${url.origin} could not be asked: ${whyOf(cause)}`, { cause })
  }
}

function whyOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
