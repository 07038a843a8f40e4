import { gzipSync } from 'node:zlib'
import type { Stored } from '../../src/cluster/port.ts'
import { BODY_LIMIT } from '../../src/http/body.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { TTEMPLATE } from '../../webhooks/tars/ttemplate/schema.ts'
import { MUTATING, VALIDATING } from '../support/desk.ts'
import { reviewsOf, withRequest } from '../support/reviews.ts'
import { aTTemplate } from '../support/templates.ts'
import { type Bytes, chunked, posting } from '../support/wire.ts'

/**
 * The catalogue of bad input (platform.md §8, RL-11): what may arrive at the port of reviews, and what is said to it.
 * Entries about fields of other kinds join it with the kinds.
 */
export interface BadInput {
  readonly name: string
  /** Written one after the other, on a connection of its own. */
  readonly sent: readonly Bytes[]
  /** Written when the answer is there. */
  readonly late?: Bytes
  /** The caller's side ends behind it. */
  readonly ends?: true
  /** Waits for a time limit. */
  readonly slow?: true
  /** Of HTTP. */
  readonly http: number
  /** Of log and metric; of a review that was understood `allowed`, `patched`, or the reason of its refusal. */
  readonly code: string
  /** What a person gets to read; the patch, where there is one. */
  readonly message: string
  /** The connection is closed behind the answer; otherwise it serves the next review. */
  readonly closes?: true
}

/** What the server can look up meanwhile. */
export const THERE: readonly Stored[] = [
  aTTemplate(),
  aTTemplate({ name: 'child', parent: 'base' }),
  aTTemplate({ name: 'tick', parent: 'tock' }),
  aTTemplate({ name: 'tock', parent: 'tick' }),
]

const { creationOf, updateOf, deletionOf } = reviewsOf(TTEMPLATE)
const root = aTTemplate({ name: 'new' })
const review = creationOf(root)
const GOOD = JSON.stringify(review)
const having = (parts: Tree) => posting(JSON.stringify({ ...review, ...parts }))
const request = (parts: Tree) => posting(JSON.stringify(withRequest(review, parts)))
const validated = (body: unknown) => posting(JSON.stringify(body))
const mutated = (body: unknown) => posting(JSON.stringify(body), { path: MUTATING })
const raw = (body: string, path = VALIDATING) => posting(body, { path })
const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const padded = (bytes: number) => GOOD + ' '.repeat(bytes - GOOD.length)
const timed = (query: string) => posting(GOOD, { path: `${VALIDATING}?${query}` })
const asking = (line: string) => `${line}\r\nHost: us\r\n\r\n`
const TE = 'Transfer-Encoding: chunked'
const inChunks = (...parts: readonly string[]) => posting(chunked(...parts), { length: TE })

/** A template that hangs on base, with more in it. */
const child = (metadata: Tree = {}, spec: Tree = {}): Tree => {
  const object = aTTemplate({ name: 'leaf', parent: 'base' })
  return {
    ...object,
    metadata: { ...object.metadata, ...metadata },
    spec: { ...(isTree(object.spec) ? object.spec : {}), ...spec },
  }
}
const LABEL = { 'tars.io/Parent': 'base' }

type Sent = Bytes | readonly Bytes[] | (Pick<BadInput, 'sent'> & Pick<Partial<BadInput>, 'late' | 'ends' | 'slow'>)
type Answer = Pick<BadInput, 'http' | 'code' | 'message'> & Pick<Partial<BadInput>, 'closes'>
interface Group extends Answer {
  readonly of: Readonly<Record<string, Sent>>
}

const refused = (code: string, message: string, of: Group['of']): Group => ({ http: 400, code, message, of })
const cutOff = (code: string, message: string, of: Group['of']): Group => ({
  http: 400,
  code,
  message,
  closes: true,
  of,
})
const allowed = (of: Group['of'], message = ''): Group => ({ http: 200, code: 'allowed', message, of })
const patched = (of: Group['of'], ...patch: readonly Tree[]): Group => ({
  http: 200,
  code: 'patched',
  message: JSON.stringify(patch),
  of,
})
const invalid = (message: string, of: Group['of']): Group => ({ http: 200, code: 'Invalid', message, of })

const NO_HTTP = 'this is no HTTP/1.1; a review is sent by POST, its Content-Length the bytes of its body'
const TWO_LENGTHS = 'the head states a second length of the body; Content-Length must stand alone'
const ODD_LENGTH = 'Content-Length must be one number, and alone to state the length of the body'
const ODD_ENCODING = 'Transfer-Encoding must be chunked, and alone to state the length of the body'
const ODD_HEADER = 'a header cannot be read: each must be a line of its own, like Name: value'
const EXPECTED = 'an AdmissionReview in JSON is expected'
const TOO_DEEP = 'nested deeper than 100 levels'
const LONG_CHAIN =
  'spec.parent: hangs on a chain of more than 64 templates, beginning leaf → tick → tock → tick → tock; name a parent that leads to a root template (TT-V5)'
const NOT_OURS = 'not checked: the object does not have the shape that this version of tars-admission knows'

const TLS_PORT: readonly Group[] = [
  {
    http: 408,
    code: 'ERR_HTTP_REQUEST_TIMEOUT',
    message: 'the request did not arrive in time',
    closes: true,
    of: {
      'a head that does not come': { sent: ['POST /validating HT'], slow: true },
      'a body that does not come': { sent: [posting('{', { length: 'Content-Length: 10' })], slow: true },
      'a body shorter than its Content-Length': {
        sent: [posting(GOOD, { length: `Content-Length: ${GOOD.length + 9}` })],
        slow: true,
      },
      'chunks that do not end': { sent: [inChunks(GOOD)], slow: true },
    },
  },
  {
    http: 431,
    code: 'HPE_HEADER_OVERFLOW',
    message: 'the head of the request is too large',
    closes: true,
    of: {
      'a header of 17 KB': posting(GOOD, { head: [`X: ${'x'.repeat(17 * 1_024)}`] }),
      '100 headers of 8 KB': posting(GOOD, {
        head: Array.from({ length: 100 }, (_, i) => `X${i}: ${'x'.repeat(8_000)}`),
      }),
      'a path of 20 KB': timed('x'.repeat(20_480)),
    },
  },
  cutOff('HPE_INVALID_EOF_STATE', 'the request ended before its end', {
    'an end within the body': { sent: [posting('{', { length: 'Content-Length: 10' })], ends: true },
    'an end within the head': { sent: ['POST /validating HTTP/1.1\r\nHost'], ends: true },
  }),
  cutOff('HPE_UNEXPECTED_CONTENT_LENGTH', TWO_LENGTHS, {
    'two Content-Lengths': posting(GOOD, { head: ['Content-Length: 4'] }),
    'the same Content-Length twice': posting(GOOD, { head: [`Content-Length: ${GOOD.length}`] }),
  }),
  cutOff('HPE_INVALID_CONTENT_LENGTH', ODD_LENGTH, {
    'chunks with a Content-Length behind': posting(chunked(GOOD), { head: [TE], length: 'Content-Length: 4' }),
    'a negative Content-Length': posting(GOOD, { length: 'Content-Length: -1' }),
    'a Content-Length with a sign': posting(GOOD, { length: 'Content-Length: +4' }),
    'a Content-Length in hexadecimal digits': posting(GOOD, { length: 'Content-Length: 0x10' }),
    'a Content-Length beyond all bounds': posting(GOOD, { length: `Content-Length: ${'9'.repeat(20)}` }),
  }),
  cutOff('HPE_INVALID_TRANSFER_ENCODING', ODD_ENCODING, {
    'a Content-Length with chunks behind': posting(chunked(GOOD), { head: ['Content-Length: 4'], length: TE }),
    'a Transfer-Encoding that is not the last': posting(GOOD, { length: 'Transfer-Encoding: chunked, gzip' }),
    'Transfer-Encoding: identity': posting(GOOD, { length: 'Transfer-Encoding: identity' }),
    'a Transfer-Encoding that there is not': posting(GOOD, { length: 'Transfer-Encoding: xchunked' }),
  }),
  cutOff('HPE_INVALID_CHUNK_SIZE', 'a chunk of the body must begin with its size in hexadecimal digits', {
    'a chunk without its size': posting(`zz\r\n${GOOD}\r\n`, { length: TE }),
  }),
  cutOff('HPE_INVALID_HEADER_TOKEN', ODD_HEADER, {
    'a header with room before its colon': posting(chunked(GOOD), { length: 'Transfer-Encoding : chunked' }),
    'a header that goes on in the next line': posting(GOOD, { head: ['X: a\r\n b'] }),
    'NUL in a header': posting(GOOD, { head: ['X: a\0b'] }),
  }),
  cutOff('HPE_PAUSED_H2_UPGRADE', 'HTTP/2 is not spoken here; ask in HTTP/1.1', {
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  }),
  cutOff('HPE_INVALID_METHOD', NO_HTTP, {
    'no HTTP': 'hello\r\n\r\n',
    'more behind a body than its Content-Length says': posting(`${GOOD}more`, {
      length: `Content-Length: ${GOOD.length}`,
    }),
    'a method in small letters': asking('post /validating HTTP/1.1'),
    'a method that there is not': asking('FROB /validating HTTP/1.1'),
  }),
  cutOff('HPE_INVALID_VERSION', NO_HTTP, {
    'HTTP/3.0': asking('POST /validating HTTP/3.0'),
    'LF alone between the lines': `POST /validating HTTP/1.1\nHost: us\nContent-Length: ${GOOD.length}\n\n${GOOD}`,
  }),
  {
    http: 404,
    code: 'PATH_UNKNOWN',
    message: 'nothing is served here; reviews are taken by POST at the paths of the webhook configurations',
    of: {
      GET: asking(`GET ${VALIDATING} HTTP/1.1`),
      'GET with a body': posting(GOOD).toString().replace('POST', 'GET'),
      'GET whose body comes behind the answer': {
        sent: [asking(`GET ${VALIDATING} HTTP/1.1\r\nContent-Length: ${GOOD.length}`)],
        late: GOOD,
      },
      PUT: posting(GOOD).toString().replace('POST', 'PUT'),
      DELETE: asking(`DELETE ${MUTATING} HTTP/1.1`),
      OPTIONS: asking(`OPTIONS ${MUTATING} HTTP/1.1`),
      TRACE: asking(`TRACE ${MUTATING} HTTP/1.1`),
      'no path': posting(GOOD, { path: '/' }),
      'a path with an end of its own': posting(GOOD, { path: '/validating/' }),
      'a path in capitals': posting(GOOD, { path: '/VALIDATING' }),
      'a path by way of another': posting(GOOD, { path: '/x/../validating' }),
      'a path that cannot be decoded': posting(GOOD, { path: '/%zz' }),
      '/metrics': asking('GET /metrics HTTP/1.1'),
      '/healthz': asking('GET /healthz HTTP/1.1'),
      '/readyz': asking('GET /readyz HTTP/1.1'),
    },
  },
  {
    http: 413,
    code: 'BODY_TOO_LARGE',
    message: `the body is larger than ${BODY_LIMIT} bytes`,
    closes: true,
    of: {
      '8 MiB + 1, as its head says': posting('', { length: `Content-Length: ${BODY_LIMIT + 1}` }),
      '8 MiB + 1 in chunks': inChunks(padded(BODY_LIMIT), ' '),
    },
  },
  {
    http: 415,
    code: 'MEDIA_TYPE',
    message: 'only content type application/json is taken',
    of: {
      'no Content-Type': posting(GOOD, { type: '' }),
      'neither Content-Type nor content': posting('', { type: '' }),
      'Content-Type: text/plain': posting(GOOD, { type: 'text/plain' }),
      'Content-Type: application/yaml': posting(GOOD, { type: 'application/yaml' }),
      'Content-Type: application/merge-patch+json': posting(GOOD, { type: 'application/merge-patch+json' }),
      'a Content-Type that is none': posting(GOOD, { type: 'json' }),
      'a body that comes behind the answer': {
        sent: [posting('', { type: 'x/y', length: 'Content-Length: 9' })],
        late: '123456789',
      },
    },
  },
  {
    http: 417,
    code: 'EXPECTATION',
    message: 'only Expect: 100-continue can be met',
    closes: true,
    of: { 'Expect: the impossible': posting(GOOD, { head: ['Expect: the-impossible'] }) },
  },
  cutOff('PROXY_ASKED', 'this is no proxy; reviews are sent by POST', {
    'CONNECT as to a proxy': asking('CONNECT us:443 HTTP/1.1'),
  }),
  {
    ...allowed({
      'HTTP/2.0 in the words of HTTP/1.1': posting(GOOD).toString().replace('HTTP/1.1', 'HTTP/2.0'),
      'HTTP/1.0': posting(GOOD).toString().replace('HTTP/1.1', 'HTTP/1.0'),
      'Connection: close': posting(GOOD, { head: ['Connection: close'] }),
    }),
    closes: true,
  },
  allowed({
    'no Host': posting(GOOD).toString().replace('Host: us\r\n', ''),
    chunks: inChunks(...(GOOD.match(/.{1,40}/gsu) ?? []), ''),
    'chunks with extensions and trailers': posting(`${GOOD.length.toString(16)};a=b\r\n${GOOD}\r\n0\r\nX: y\r\n\r\n`, {
      length: TE,
    }),
    'byte by byte': [...posting(GOOD)].map((byte) => Uint8Array.of(byte)),
    '8 MiB': raw(padded(BODY_LIMIT)),
    '8 MiB in chunks': inChunks(padded(BODY_LIMIT), ''),
    'empty lines before the request': ['\r\n\r\n', posting(GOOD)],
    'JSON with its charset': posting(GOOD, { type: 'application/json; charset=utf-8' }),
    'JSON with a charset that is none': posting(GOOD, { type: 'application/json; charset=utf-16' }),
    'JSON in capitals': posting(GOOD, { type: 'Application/JSON' }),
    'two Content-Types, of which the first counts': posting(GOOD, { head: ['Content-Type: text/plain'] }),
    'two Hosts': posting(GOOD, { head: ['Host: them'] }),
    'Content-Encoding: gzip, and nothing compressed': posting(GOOD, { head: ['Content-Encoding: gzip'] }),
    'Expect: 100-continue': posting(GOOD, { head: ['Expect: 100-continue'] }),
    'Upgrade: websocket': posting(GOOD, { head: ['Connection: Upgrade', 'Upgrade: websocket'] }),
    'the whole URL for a path': posting(GOOD, { path: `https://us${VALIDATING}` }),
    '?timeout= of nonsense': timed('timeout=soon'),
    '?timeout= that is negative': timed('timeout=-5s'),
    '?timeout= of nothing': timed('timeout=0s'),
    '?timeout= beyond all bounds': timed(`timeout=${'9'.repeat(40)}s`),
    '?timeout= given twice': timed('timeout=1s&timeout=2s'),
    '?timeout= that cannot be decoded': timed('timeout=%zz'),
    '?timeout= as a field of an object': timed('timeout[a]=1s&__proto__[timeout]=1s'),
  }),
]

const REVIEWS: readonly Group[] = [
  refused('BODY_EMPTY', `the body is empty; ${EXPECTED}`, {
    'an empty body': raw(''),
    'no length and no chunks': posting('', { length: '' }),
  }),
  refused('BODY_NOT_JSON', `the body is not JSON; ${EXPECTED}`, {
    'another text': raw('password=hunter2'),
    NUL: raw('\0'),
    YAML: raw('kind: AdmissionReview'),
    'a number that is none': raw('NaN'),
  }),
  refused('BODY_NOT_JSON', `the body is not JSON from its character 2 on; ${EXPECTED}`, {
    'JSON in UTF-16': posting(Buffer.from(GOOD, 'utf16le')),
  }),
  refused('BODY_NOT_JSON', `the body is not JSON from its character 19 on; ${EXPECTED}`, {
    'a comma too few': raw('{"kind":"Review"  "request":{}}'),
  }),
  refused('BODY_NOT_JSON', `the body ends too soon, after ${GOOD.length - 20} characters; ${EXPECTED}`, {
    'a review cut off': raw(GOOD.slice(0, -20)),
  }),
  refused('BODY_NOT_JSON', `the body begins with a byte order mark, which JSON does not have; ${EXPECTED}`, {
    'a byte order mark': raw(`\uFEFF${GOOD}`),
  }),
  refused('BODY_NOT_JSON', `the body is compressed, which is not taken; ${EXPECTED}`, {
    gzip: posting(gzipSync(GOOD), { head: ['Content-Encoding: gzip'] }),
    'gzip without a word of it': posting(gzipSync(GOOD)),
  }),
  refused('BODY_TOO_DEEP', TOO_DEEP, {
    '101 levels': having({ more: JSON.parse(lists(100)) }),
    '200,000 levels': raw(lists(200_000)),
    '200,000 levels in the object': raw(GOOD.replace('"spec":{', `"spec":{"deep":${lists(200_000)},`)),
  }),
  refused('REVIEW_KIND', 'the body is no AdmissionReview but another JSON value', {
    'a text': raw('"review"'),
    'a number': raw('1e400'),
    null: raw('null'),
    'a list': raw(`[${GOOD}]`),
  }),
  refused('REVIEW_KIND', 'kind must be AdmissionReview', { 'another kind of body': having({ kind: 'Pod' }) }),
  refused('REVIEW_VERSION', 'apiVersion must be admission.k8s.io/v1, the only one spoken here', {
    v1beta1: having({ apiVersion: 'admission.k8s.io/v1beta1' }),
    'no apiVersion': having({ apiVersion: null }),
  }),
  refused('REQUEST_MISSING', 'request must be an object', {
    'request null': having({ request: null }),
    'a request that is a list': having({ request: [] }),
  }),
  refused('UID_MISSING', 'request.uid must be a text that is not empty', {
    'no uid': request({ uid: undefined }),
    'an empty uid': request({ uid: '' }),
    'a number for a uid': request({ uid: 7 }),
  }),
  refused('UID_MISSING', 'request.uid must not be longer than 256 characters', {
    'a uid of 10 KB': request({ uid: 'u'.repeat(10_240) }),
  }),
  refused('OPERATION_UNKNOWN', 'request.operation must be one of CREATE, UPDATE, DELETE, CONNECT', {
    'operation PATCH': request({ operation: 'PATCH' }),
    'an operation that all objects have': request({ operation: 'constructor' }),
    'a list for an operation': request({ operation: ['CREATE'] }),
  }),
  refused('OBJECT_MISSING', 'request.object must be an object on CREATE', {
    'object null on CREATE': request({ object: null }),
    'a list for an object on CREATE': request({ object: [] }),
  }),
  refused('OBJECT_MISSING', 'request.object must be an object on UPDATE', {
    'object null on UPDATE': validated(updateOf(root, null)),
  }),
  refused('OLD_OBJECT_MISSING', 'request.oldObject must be an object on UPDATE', {
    'oldObject null on UPDATE': validated(updateOf(null, root)),
  }),
  refused('OLD_OBJECT_MISSING', 'request.oldObject must be an object on DELETE', {
    'oldObject null on DELETE': validated(deletionOf(null)),
  }),
  refused('REQUEST_MALFORMED', 'request.userInfo.username must be a text', {
    'no userInfo': request({ userInfo: undefined }),
    'userInfo null': request({ userInfo: null }),
    'a user without a name': request({ userInfo: {} }),
  }),
  refused('REQUEST_MALFORMED', 'request.dryRun must be true or false', { 'dryRun a text': request({ dryRun: 'yes' }) }),
  refused('REQUEST_MALFORMED', 'request.name must be a text', { 'a number for a name': request({ name: 7 }) }),
  refused('REQUEST_MALFORMED', 'request.namespace must be a text', {
    'a list for a namespace': request({ namespace: [] }),
  }),
  refused('REQUEST_MALFORMED', 'request.resource.group must be a text', { 'no resource': request({ resource: null }) }),
  refused('REQUEST_MALFORMED', 'request.kind.group must be a text', {
    'no kind in the request': request({ kind: 'Pod' }),
  }),
  allowed(
    { 'operation CONNECT': request({ operation: 'CONNECT', object: null }) },
    'no handler for CONNECT of ttemplates v1beta2 on /validating',
  ),
  allowed(
    { 'another kind': request({ resource: { group: '', version: 'v1', resource: 'pods' } }) },
    'no handler for CREATE of pods v1 on /validating',
  ),
  allowed(
    {
      'another version of our kind': request({
        resource: { group: 'k8s.tars.io', version: 'v1', resource: 'ttemplates' },
      }),
    },
    'no handler for CREATE of ttemplates v1 on /validating',
  ),
  allowed(
    { 'a status-only update': validated(updateOf(root, root, { subResource: 'status' })) },
    'no handler for UPDATE of ttemplates/status v1beta2 on /validating',
  ),
]

const OBJECTS: readonly Group[] = [
  allowed({
    '100 levels': having({ more: JSON.parse(lists(99)) }),
    'keys that stand twice, of which the last counts': raw(GOOD.replace('{', '{"kind":"Pod",')),
    'lone surrogates': request({ more: '\uD800', uid: '\uDC00' }),
    'bytes that are no UTF-8': posting(Buffer.from(GOOD.replace('<tars>', '\xFF\xFE\xC0'), 'latin1')),
    '1e400, −0 and integers > 2^53': raw(GOOD.replace('"spec":{', '"spec":{"more":[1e400,-0,9007199254740993],')),
    'dryRun null': request({ dryRun: null }),
    'name and namespace null': request({ name: null, namespace: null }),
    'options of a forced server-side apply': request({
      options: { kind: 'PatchOptions', apiVersion: 'meta.k8s.io/v1', force: true, fieldManager: 'ann' },
    }),
    'an object of another kind than request.kind: the request counts': request({ object: { ...root, kind: 'Pod' } }),
    'a namespace other than that of the request': request({ namespace: 'other' }),
    'an annotation of 256 KiB': request({ object: child({ name: 'new', annotations: { a: 'x'.repeat(262_144) } }) }),
    '200 managedFields': request({
      object: child({
        managedFields: Array.from({ length: 200 }, () => ({ manager: 'm', fieldsV1: { 'f:spec': {} } })),
      }),
    }),
    'unknown fields': request({ object: { ...child({ more: 1 }, { more: 1 }), more: 1 } }),
    'CRLF and NUL bytes in a text': request({ object: child({}, { content: 'a\r\nb\0c' }) }),
    'timestamps out of range': request({
      object: child({ creationTimestamp: '9999-99-99T99:99:99Z', deletionTimestamp: '-1' }),
    }),
    'a name in unicode': request({ object: child({ name: 'größe' }) }),
    'a name in capitals': request({ object: child({ name: 'Base' }) }),
    'a name of 254 characters': request({ object: child({ name: 'a'.repeat(254) }) }),
    'a name with a dot behind': request({ object: child({ name: 'base.' }) }),
    'a template of 254 characters that goes': validated(deletionOf(child({ name: 'a'.repeat(254) }))),
    'an object being deleted, whatever becomes of it': validated(
      updateOf(child({ deletionTimestamp: '2026-11-18T12:00:00Z' }), child({}, { parent: 'nowhere' })),
    ),
    'a template that is its own parent': validated(creationOf(root)),
  }),
  allowed(
    {
      'an object without anything': request({ object: {} }),
      'labels that are numbers': request({ object: child({ labels: { a: 1 } }) }),
      'labels that are a list': request({ object: child({ labels: [] }) }),
      'a number for the parent': request({ object: child({}, { parent: 7 }) }),
      'a list for the spec': request({ object: { ...child(), spec: [] } }),
      'a parent in unicode': request({ object: child({}, { parent: 'größe' }) }),
      'a parent in capitals': request({ object: child({}, { parent: 'Base' }) }),
      'a parent of 254 characters': request({ object: child({}, { parent: 'a'.repeat(254) }) }),
      'a parent with a dot behind': request({ object: child({}, { parent: 'base.' }) }),
      'a parent with CRLF': request({ object: child({}, { parent: 'base\r\n' }) }),
      'a parent with NUL': request({ object: child({}, { parent: 'base\0' }) }),
      'a regex bomb for a parent': request({ object: child({}, { parent: `${'a-'.repeat(126)}!` }) }),
      'a regex bomb of 4 MB': request({ object: child({}, { parent: `${'a-'.repeat(2_000_000)}!` }) }),
      'no name yet, as with generateName': request({ object: child({ name: undefined, generateName: 'leaf-' }) }),
      'a content of 1.5 million characters and more': request({
        object: child({}, { content: 'x'.repeat(1_560_001) }),
      }),
    },
    NOT_OURS,
  ),
  invalid('spec.parent: required; use the own name for a root template (TT-V1)', {
    'an empty parent': validated(creationOf(child({}, { parent: '' }))),
  }),
  invalid('spec.parent: TTemplate demo/nowhere does not exist; create it first, or name another (TT-V2)', {
    'a parent that there is not': validated(creationOf(child({}, { parent: 'nowhere' }))),
  }),
  invalid(
    'spec.parent: would create a cycle base → child → base; name a parent that leads to a root template (TT-V5)',
    {
      'a cycle': validated(updateOf(aTTemplate(), aTTemplate({ parent: 'child' }))),
    },
  ),
  invalid(LONG_CHAIN, { 'a chain that leads into a cycle': validated(creationOf(child({}, { parent: 'tick' }))) }),
  patched(
    {
      'no labels': mutated(creationOf(child({ labels: undefined }))),
      'labels null': mutated(creationOf(child({ labels: null }))),
    },
    { op: 'add', path: '/metadata/labels', value: LABEL },
  ),
  patched(
    {
      'empty name with generateName': mutated(creationOf(child({ name: '', generateName: 'leaf-', labels: {} }))),
      'keys with / and ~': mutated(creationOf(child({ labels: { 'a/b~c': 'x', '~1': 'y', '~0': 'z' } }))),
      '__proto__ and constructor for keys': raw(
        JSON.stringify(creationOf(child({ labels: { a: 'x' } })))
          .replace('"labels":{', '"labels":{"__proto__":"x","constructor":"y",')
          .replace('"spec":{', '"spec":{"__proto__":{"parent":"x"},"constructor":{"prototype":{"polluted":true}},'),
        MUTATING,
      ),
    },
    { op: 'add', path: '/metadata/labels/tars.io~1Parent', value: 'base' },
  ),
  allowed({
    'labels that are numbers, to be mutated': mutated(creationOf(child({ labels: { a: 1 } }))),
    'a parent that fits into no label': mutated(creationOf(child({}, { parent: 'a'.repeat(64) }))),
    'metadata null': mutated(creationOf({ ...child(), metadata: null })),
    'a list for the spec, to be mutated': mutated(creationOf({ ...child(), spec: [] })),
  }),
]

export const BAD_INPUT: readonly BadInput[] = [...TLS_PORT, ...REVIEWS, ...OBJECTS].flatMap(({ of, ...answer }) =>
  Object.entries(of).map(([name, sent]) => ({ name, ...answer, ...writtenAs(sent) })),
)

function writtenAs(sent: Sent): Pick<BadInput, 'sent'> {
  if (typeof sent === 'string' || sent instanceof Uint8Array) return { sent: [sent] }
  return 'sent' in sent ? sent : { sent }
}

const HEAD = `# Bad input

Printed from test/contracts/bad-input.ts by \`npm run print\`; a check fails when this page is stale. What may arrive at the
port of reviews, and what is said to it: the status of HTTP, the code that log and metrics name (of a review that was understood:
allowed, patched, or why it is refused) and what a person gets to read. Behind each the same connection serves the next
review, unless it is marked as closed, and the server serves everybody else.

| what arrives | HTTP | code | message |
|---|---|---|---|`

/** docs/bad-input.md. */
export function badInputPage(): string {
  const rows = BAD_INPUT.map(({ name, http, code, message, closes }) => {
    const status = closes ? `${http}, closed` : String(http)
    return `| ${[name, status, code, message].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  })
  return `${[HEAD, ...rows].join('\n')}\n`
}
