import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import type { Response } from '../admission/response.ts'
import type { WebhookCall } from '../cluster/memory/registered-webhooks.ts'
import { Fault } from '../faults.ts'
import { isTree } from '../schema.ts'

/**
 * Calls a webhook server over the network like an API server, but always as a dry run: no object is going to be stored,
 * so the server must not write marks (W-9).
 */
export function remoteWebhook(server: string, ca: string | undefined): WebhookCall {
  return async ({ path, timeoutSeconds }, review) => {
    const url = new URL(`${server.replace(/\/$/, '')}${path}?timeout=${timeoutSeconds}s`)
    const dry = { ...review, request: { ...review.request, dryRun: true } }
    const { code, body } = await post(url, JSON.stringify(dry), { ca, timeoutSeconds })
    const answered: unknown = code === 200 ? parsed(body) : undefined
    if (isTree(answered) && isResponse(answered.response, review.request.uid)) return answered.response
    throw unanswered(`${url.origin}${url.pathname} gave no answer to the review, but HTTP ${code}`)
  }
}

function isResponse(value: unknown, uid: string): value is Response {
  return isTree(value) && value.uid === uid && typeof value.allowed === 'boolean'
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

interface RemoteOptions {
  readonly ca: string | undefined
  readonly timeoutSeconds: number
}

async function post(url: URL, body: string, { ca, timeoutSeconds }: RemoteOptions) {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number; body: string }>()
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const signal = AbortSignal.timeout(timeoutSeconds * 1_000)
  request(url, { method: 'POST', headers, signal, ...(ca !== undefined && { ca }) }, (response) => {
    text(response).then((body) => resolve({ code: response.statusCode ?? 0, body: body }), reject)
  })
    .on('error', reject)
    .end(body)
  try {
    return await promise
  } catch (cause) {
    const why = signal.aborted ? `no answer within ${timeoutSeconds} s` : whyOf(cause)
    throw unanswered(`${url.origin} could not be asked: ${why}`, cause)
  }
}

function unanswered(message: string, cause?: unknown): Fault {
  return new Fault('CLUSTER_UNREACHABLE', message, { cause })
}

/** Translates error codes, since a TLS code does not tell an operator what to change. */
const TRUST = 'its certificate is not signed by the CA of --ca'
const WHY: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there',
  DEPTH_ZERO_SELF_SIGNED_CERT: TRUST,
  SELF_SIGNED_CERT_IN_CHAIN: TRUST,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: TRUST,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: TRUST,
  CERT_SIGNATURE_FAILURE: TRUST,
}

function whyOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return WHY[code] ?? (cause instanceof Error ? cause.message : String(cause))
}
