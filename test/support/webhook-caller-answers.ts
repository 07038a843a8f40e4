import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Tree } from '../../src/schema.ts'

export const UID = '705ab4f5-6393-11e8-b7cc-42010a800002'
export const NAME = 'case.lab.example'

export type Answer = (response: ServerResponse, request: IncomingMessage) => unknown
export const json = (body: unknown, code = 200, headers: Record<string, string> = {}): Answer => {
  return (response) =>
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
export const review = (response: unknown, more: Tree = {}): Answer =>
  json({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', ...more, response })
const denied = (status: unknown, more: Tree = {}) => review({ uid: UID, allowed: false, status, ...more })
export const allowed = (more: Tree) => review({ uid: UID, allowed: true, ...more })
export const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const patch = (...operations: unknown[]) => allowed({ patchType: 'JSONPatch', patch: base64(operations) })
export const silent: Answer = () => undefined
export const reset: Answer = (_response, { socket }) => socket.destroy()

/** What the webhook of each case answered, as its name says. */
export const ANSWERS: Readonly<Record<string, Answer>> = {
  ok: allowed({}),
  'deny-message': denied({ message: 'spec.app is immutable' }),
  'deny-code-reason': denied({ code: 422, reason: 'Invalid', message: 'bad servants' }),
  'deny-409': denied({ code: 409, reason: 'Conflict', message: 'exists' }),
  'deny-429': denied({ code: 429, message: 'slow down' }),
  'deny-200': denied({ code: 200, message: 'code 200' }),
  'deny-nostatus': review({ uid: UID, allowed: false }),
  'deny-details': denied({
    code: 422,
    reason: 'Invalid',
    message: 'm',
    details: {
      causes: [{ reason: 'FieldValueDuplicate', message: 'Duplicate value', field: 'spec.tars.servants[1].name' }],
    },
  }),
  'deny-multiline': denied({ message: 'line1\nline2' }),
  'uid-mismatch': review({ uid: 'other', allowed: true }),
  'uid-missing': review({ allowed: true }),
  'no-response': review(undefined),
  'wrong-apiversion': review({ uid: UID, allowed: true }, { apiVersion: 'admission.k8s.io/v1beta1' }),
  'kind-missing': review({ uid: UID, allowed: true }, { kind: undefined }),
  'not-json': json('hello'),
  'empty-body': (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(),
  'http-500': (response) => response.writeHead(500, { 'content-type': 'text/plain' }).end('boom'),
  'http-400-json': json({ error: 'bad' }, 400),
  'http-404': (response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found'),
  'http-503': (response) => response.writeHead(503, { 'content-type': 'text/plain' }).end('busy'),
  'http-204': (response) => response.writeHead(204, { 'content-type': 'application/json' }).end(),
  'content-type-text': (response, request) => {
    response.setHeader('content-type', 'text/plain')
    return allowed({})(response, request)
  },
  warnings: allowed({ warnings: ['w'.repeat(13), 'x'.repeat(300)] }),
  'warnings-many': allowed({ warnings: Array.from({ length: 60 }, (_, i) => `${'w'.repeat(112)}${i}`) }),
  'warn-and-deny': denied({ message: 'no' }, { warnings: ['be aware'] }),
  audit: allowed({ auditAnnotations: { a: 'b' } }),
  'unknown-field': allowed({ surprise: true }),
  'patch-on-validate': patch({ op: 'add', path: '/spec/x', value: 1 }),
  hang: silent,
  reset,
  'patch-empty-array': patch(),
  'patch-notype': allowed({ patch: base64([{ op: 'add', path: '/spec/x', value: 1 }]) }),
  'type-nopatch': allowed({ patchType: 'JSONPatch' }),
  'patch-badpath': patch({ op: 'replace', path: '/spec/nope/deep', value: 1 }),
  'patch-removemissing': patch({ op: 'remove', path: '/spec/nope' }),
  'patch-test-fail': patch({ op: 'test', path: '/spec/app', value: 'other' }),
  'patch-merge-type': allowed({ patchType: 'JSONPatch', patch: base64({ spec: { x: 1 } }) }),
  'patch-notb64': allowed({ patchType: 'JSONPatch', patch: '[{"op":"add"}]' }),
  'patch-name': patch({ op: 'replace', path: '/metadata/name', value: 'renamed' }),
  'patch-with-deny': denied({ message: 'no' }, { patchType: 'JSONPatch', patch: base64([]) }),
  'patch-nullvalue': patch({ op: 'add', path: '/spec/nul', value: null }),
  'patch-add-existing': patch({ op: 'add', path: '/spec/app', value: 'changed' }),
  'patch-noparent': patch({ op: 'add', path: '/metadata/annotations/a', value: 'b' }),
  'patch-append': patch({ op: 'add', path: '/metadata/finalizers', value: ['tars.io/x'] }),
}
/** Go follows redirects; what a write is stored as, and which labels it may have, is not for this caller to say. */
export const NOT_ITS_BUSINESS = [
  'http-302',
  'slow-1s',
  'patch-uid',
  'patch-status',
  'patch-unknown-spec',
  'patch-label-invalid',
]
