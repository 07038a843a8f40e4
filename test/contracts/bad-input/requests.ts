import { gzipSync } from 'node:zlib'
import { BODY_LIMIT } from '../../../src/http/intake/body.ts'
import type { Tree } from '../../../src/schema.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { MUTATING, VALIDATING } from '../../support/answerer-parts.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { chunked, posting } from '../../support/fakes/wire.ts'
import { withRequest } from '../../support/reviews.ts'
import { asking, asWritten, lists, many, raw, STATUS, table } from './entry.ts'

const root = aTTemplate({ name: 'new' })
const { creationOf, isNew, isChanged, isGone } = asking(TTEMPLATE, root)
const GOOD = JSON.stringify(creationOf(root))
const having = (parts: Tree) => asWritten({ ...creationOf(root), ...parts })
const request = (parts: Tree) => asWritten(withRequest(creationOf(root), parts))
const padded = (bytes: number) => GOOD + ' '.repeat(bytes - GOOD.length)
const timed = (query: string) => posting(GOOD, { path: `${VALIDATING}?${query}` })
const alone = (line: string) => `${line}\r\nHost: us\r\n\r\n`
const reworded = (from: string, to: string) => posting(GOOD).toString().replace(from, to)
const TE = 'Transfer-Encoding: chunked'
const inChunks = (...parts: readonly string[]) => posting(chunked(...parts), { length: TE })

/** What is no request, or none that is taken here. */
export const REQUESTS = table`
  408, closed ERR_HTTP_REQUEST_TIMEOUT the request did not arrive in time
    a head that does not come | ${{ sent: ['POST /validating HT'], slow: true }}
    a body that does not come | ${{ sent: [posting('{', { length: 'Content-Length: 10' })], slow: true }}
    a body shorter than its Content-Length | ${{ sent: [posting(GOOD, { length: `Content-Length: ${GOOD.length + 9}` })], slow: true }}
    chunks that do not end | ${{ sent: [inChunks(GOOD)], slow: true }}
  431, closed {}
    a header of 17 KB | ${posting(GOOD, { head: [`X: ${'x'.repeat(17 * 1_024)}`] })} | HPE_HEADER_OVERFLOW the head of the request is too large
    100 headers of 8 KB | ${posting(GOOD, { head: many(100, (i) => `X${i}: ${'x'.repeat(8_000)}`) })} | HPE_HEADER_OVERFLOW the head of the request is too large
    a path of 20 KB | ${timed('x'.repeat(20_480))} | HPE_HEADER_OVERFLOW the head of the request is too large
  400, closed {}
    an end within the body | ${{ sent: [posting('{', { length: 'Content-Length: 10' })], ends: true }} | HPE_INVALID_EOF_STATE the request ended before its end
    an end within the head | ${{ sent: ['POST /validating HTTP/1.1\r\nHost'], ends: true }} | HPE_INVALID_EOF_STATE the request ended before its end
    two Content-Lengths | ${posting(GOOD, { head: ['Content-Length: 4'] })} | HPE_UNEXPECTED_CONTENT_LENGTH the head states a second length of the body; Content-Length must stand alone
    the same Content-Length twice | ${posting(GOOD, { head: [`Content-Length: ${GOOD.length}`] })} | HPE_UNEXPECTED_CONTENT_LENGTH the head states a second length of the body; Content-Length must stand alone
    a chunk without its size | ${posting(`zz\r\n${GOOD}\r\n`, { length: TE })} | HPE_INVALID_CHUNK_SIZE a chunk of the body must begin with its size in hexadecimal digits
    the preface of HTTP/2 | ${'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'} | HPE_PAUSED_H2_UPGRADE HTTP/2 is not spoken here; ask in HTTP/1.1
    CONNECT as to a proxy | ${alone('CONNECT us:443 HTTP/1.1')} | PROXY_ASKED this is no proxy; reviews are sent by POST
  400, closed HPE_INVALID_CONTENT_LENGTH Content-Length must be one number, and alone to state the length of the body
    chunks with a Content-Length behind | ${posting(chunked(GOOD), { head: [TE], length: 'Content-Length: 4' })}
    a negative Content-Length | ${posting(GOOD, { length: 'Content-Length: -1' })}
    a Content-Length with a sign | ${posting(GOOD, { length: 'Content-Length: +4' })}
    a Content-Length in hexadecimal digits | ${posting(GOOD, { length: 'Content-Length: 0x10' })}
    a Content-Length beyond all bounds | ${posting(GOOD, { length: `Content-Length: ${'9'.repeat(20)}` })}
  400, closed HPE_INVALID_TRANSFER_ENCODING Transfer-Encoding must be chunked, and alone to state the length of the body
    a Content-Length with chunks behind | ${posting(chunked(GOOD), { head: ['Content-Length: 4'], length: TE })}
    a Transfer-Encoding that is not the last | ${posting(GOOD, { length: 'Transfer-Encoding: chunked, gzip' })}
    Transfer-Encoding: identity | ${posting(GOOD, { length: 'Transfer-Encoding: identity' })}
    a Transfer-Encoding that there is not | ${posting(GOOD, { length: 'Transfer-Encoding: xchunked' })}
  400, closed HPE_INVALID_HEADER_TOKEN a header cannot be read: each must be a line of its own, like Name: value
    a header with room before its colon | ${posting(chunked(GOOD), { length: 'Transfer-Encoding : chunked' })}
    a header that goes on in the next line | ${posting(GOOD, { head: ['X: a\r\n b'] })}
    NUL in a header | ${posting(GOOD, { head: ['X: a\0b'] })}
  400, closed HPE_INVALID_METHOD this is no HTTP/1.1; a review is sent by POST, its Content-Length the bytes of its body
    no HTTP | ${'hello\r\n\r\n'}
    more behind a body than its Content-Length says | ${posting(`${GOOD}more`, { length: `Content-Length: ${GOOD.length}` })}
    a method in small letters | ${alone('post /validating HTTP/1.1')}
    a method that there is not | ${alone('FROB /validating HTTP/1.1')}
  400, closed HPE_INVALID_VERSION this is no HTTP/1.1; a review is sent by POST, its Content-Length the bytes of its body
    HTTP/3.0 | ${alone('POST /validating HTTP/3.0')}
    LF alone between the lines | ${`POST /validating HTTP/1.1\nHost: us\nContent-Length: ${GOOD.length}\n\n${GOOD}`}
  404 PATH_UNKNOWN nothing is served here; reviews are taken by POST at the paths of the webhook configurations
    GET | ${alone(`GET ${VALIDATING} HTTP/1.1`)}
    GET with a body | ${reworded('POST', 'GET')}
    GET whose body comes behind the answer | ${{ sent: [alone(`GET ${VALIDATING} HTTP/1.1\r\nContent-Length: ${GOOD.length}`)], late: GOOD }}
    PUT | ${reworded('POST', 'PUT')}
    DELETE | ${alone(`DELETE ${MUTATING} HTTP/1.1`)}
    OPTIONS | ${alone(`OPTIONS ${MUTATING} HTTP/1.1`)}
    TRACE | ${alone(`TRACE ${MUTATING} HTTP/1.1`)}
    no path | ${posting(GOOD, { path: '/' })}
    a path with an end of its own | ${posting(GOOD, { path: '/validating/' })}
    a path in capitals | ${posting(GOOD, { path: '/VALIDATING' })}
    a path by way of another | ${posting(GOOD, { path: '/x/../validating' })}
    a path that cannot be decoded | ${posting(GOOD, { path: '/%zz' })}
    /metrics | ${alone('GET /metrics HTTP/1.1')}
    /healthz | ${alone('GET /healthz HTTP/1.1')}
    /readyz | ${alone('GET /readyz HTTP/1.1')}
  413, closed {}
    8 MiB + 1, as its head says | ${posting('', { length: `Content-Length: ${BODY_LIMIT + 1}` })} | BODY_TOO_LARGE the body is larger than 8388608 bytes
    8 MiB + 1 in chunks | ${inChunks(padded(BODY_LIMIT), ' ')} | BODY_TOO_LARGE the body is larger than 8388608 bytes
  415 MEDIA_TYPE only content type application/json is taken
    no Content-Type | ${posting(GOOD, { type: '' })}
    neither Content-Type nor content | ${posting('', { type: '' })}
    Content-Type: text/plain | ${posting(GOOD, { type: 'text/plain' })}
    Content-Type: application/yaml | ${posting(GOOD, { type: 'application/yaml' })}
    Content-Type: application/merge-patch+json | ${posting(GOOD, { type: 'application/merge-patch+json' })}
    a Content-Type that is none | ${posting(GOOD, { type: 'json' })}
    a body that comes behind the answer | ${{ sent: [posting('', { type: 'x/y', length: 'Content-Length: 9' })], late: '123456789' }}
  417, closed {}
    Expect: the impossible | ${posting(GOOD, { head: ['Expect: the-impossible'] })} | EXPECTATION only Expect: 100-continue can be met
  200, closed {}
    HTTP/2.0 in the words of HTTP/1.1 | ${reworded('HTTP/1.1', 'HTTP/2.0')} | allowed
    HTTP/1.0 | ${reworded('HTTP/1.1', 'HTTP/1.0')} | allowed
    Connection: close | ${posting(GOOD, { head: ['Connection: close'] })} | allowed
  allowed
    no Host | ${reworded('Host: us\r\n', '')}
    chunks | ${inChunks(...(GOOD.match(/.{1,40}/gsu) ?? []), '')}
    chunks with extensions and trailers | ${posting(`${GOOD.length.toString(16)};a=b\r\n${GOOD}\r\n0\r\nX: y\r\n\r\n`, { length: TE })}
    byte by byte | ${[...posting(GOOD)].map((byte) => Uint8Array.of(byte))}
    8 MiB | ${raw(padded(BODY_LIMIT))}
    8 MiB in chunks | ${inChunks(padded(BODY_LIMIT), '')}
    empty lines before the request | ${['\r\n\r\n', posting(GOOD)]}
    JSON with its charset | ${posting(GOOD, { type: 'application/json; charset=utf-8' })}
    JSON with a charset that is none | ${posting(GOOD, { type: 'application/json; charset=utf-16' })}
    JSON in capitals | ${posting(GOOD, { type: 'Application/JSON' })}
    two Content-Types, of which the first counts | ${posting(GOOD, { head: ['Content-Type: text/plain'] })}
    two Hosts | ${posting(GOOD, { head: ['Host: them'] })}
    Content-Encoding: gzip, and nothing compressed | ${posting(GOOD, { head: ['Content-Encoding: gzip'] })}
    Expect: 100-continue | ${posting(GOOD, { head: ['Expect: 100-continue'] })}
    Upgrade: websocket | ${posting(GOOD, { head: ['Connection: Upgrade', 'Upgrade: websocket'] })}
    the whole URL for a path | ${posting(GOOD, { path: `https://us${VALIDATING}` })}
    ?timeout= of nonsense | ${timed('timeout=soon')}
    ?timeout= that is negative | ${timed('timeout=-5s')}
    ?timeout= of nothing | ${timed('timeout=0s')}
    ?timeout= beyond all bounds | ${timed(`timeout=${'9'.repeat(40)}s`)}
    ?timeout= given twice | ${timed('timeout=1s&timeout=2s')}
    ?timeout= that cannot be decoded | ${timed('timeout=%zz')}
    ?timeout= as a field of an object | ${timed('timeout[a]=1s&__proto__[timeout]=1s')}
`

/** Bodies that are no review, and reviews that no handler of this server takes. */
export const REVIEWS = table`
  400 {}
    an empty body | ${raw('')} | BODY_EMPTY the body is empty; an AdmissionReview in JSON is expected
    no length and no chunks | ${posting('', { length: '' })} | BODY_EMPTY the body is empty; an AdmissionReview in JSON is expected
    101 levels | ${having({ more: JSON.parse(lists(100)) })} | BODY_TOO_DEEP nested deeper than 100 levels
    200,000 levels | ${raw(lists(200_000))} | BODY_TOO_DEEP nested deeper than 100 levels
    200,000 levels in the object | ${raw(GOOD.replace('"spec":{', `"spec":{"deep":${lists(200_000)},`))} | BODY_TOO_DEEP nested deeper than 100 levels
    v1beta1 | ${having({ apiVersion: 'admission.k8s.io/v1beta1' })} | REVIEW_VERSION apiVersion must be admission.k8s.io/v1, the only one spoken here
    no apiVersion | ${having({ apiVersion: null })} | REVIEW_VERSION apiVersion must be admission.k8s.io/v1, the only one spoken here
    request null | ${having({ request: null })} | REQUEST_MISSING request must be an object
    a request that is a list | ${having({ request: [] })} | REQUEST_MISSING request must be an object
    operation PATCH | ${request({ operation: 'PATCH' })} | OPERATION_UNKNOWN request.operation must be one of CREATE, UPDATE, DELETE, CONNECT
    an operation that all objects have | ${request({ operation: 'constructor' })} | OPERATION_UNKNOWN request.operation must be one of CREATE, UPDATE, DELETE, CONNECT
    a list for an operation | ${request({ operation: ['CREATE'] })} | OPERATION_UNKNOWN request.operation must be one of CREATE, UPDATE, DELETE, CONNECT
    object null on CREATE | ${isNew(null)} | OBJECT_MISSING request.object must be an object on CREATE
    a list for an object on CREATE | ${isNew([])} | OBJECT_MISSING request.object must be an object on CREATE
    object null on UPDATE | ${isChanged(root, null)} | OBJECT_MISSING request.object must be an object on UPDATE
    oldObject null on UPDATE | ${isChanged(null, root)} | OLD_OBJECT_MISSING request.oldObject must be an object on UPDATE
    oldObject null on DELETE | ${isGone(null)} | OLD_OBJECT_MISSING request.oldObject must be an object on DELETE
  400 BODY_NOT_JSON the body {}; an AdmissionReview in JSON is expected
    another text | ${raw('password=hunter2')} | is not JSON
    NUL | ${raw('\0')} | is not JSON
    YAML | ${raw('kind: AdmissionReview')} | is not JSON
    a number that is none | ${raw('NaN')} | is not JSON
    JSON in UTF-16 | ${posting(Buffer.from(GOOD, 'utf16le'))} | is not JSON from its character 2 on
    a comma too few | ${raw('{"kind":"Review"  "request":{}}')} | is not JSON from its character 19 on
    a review cut off | ${raw(GOOD.slice(0, -20))} | ends too soon, after 536 characters
    a byte order mark | ${raw(`\uFEFF${GOOD}`)} | begins with a byte order mark, which JSON does not have
    gzip | ${posting(gzipSync(GOOD), { head: ['Content-Encoding: gzip'] })} | is compressed, which is not taken
    gzip without a word of it | ${posting(gzipSync(GOOD))} | is compressed, which is not taken
  400 REVIEW_KIND {}
    a text | ${raw('"review"')} | the body is no AdmissionReview but another JSON value
    a number | ${raw('1e400')} | the body is no AdmissionReview but another JSON value
    null | ${raw('null')} | the body is no AdmissionReview but another JSON value
    a list | ${raw(`[${GOOD}]`)} | the body is no AdmissionReview but another JSON value
    another kind of body | ${having({ kind: 'Pod' })} | kind must be AdmissionReview
  400 UID_MISSING request.uid must {}
    no uid | ${request({ uid: undefined })} | be a text that is not empty
    an empty uid | ${request({ uid: '' })} | be a text that is not empty
    a number for a uid | ${request({ uid: 7 })} | be a text that is not empty
    a uid of 10 KB | ${request({ uid: 'u'.repeat(10_240) })} | not be longer than 256 characters
  400 REQUEST_MALFORMED request.{}
    no userInfo | ${request({ userInfo: undefined })} | userInfo.username must be a text
    userInfo null | ${request({ userInfo: null })} | userInfo.username must be a text
    a user without a name | ${request({ userInfo: {} })} | userInfo.username must be a text
    dryRun a text | ${request({ dryRun: 'yes' })} | dryRun must be true or false
    a number for a name | ${request({ name: 7 })} | name must be a text
    a list for a namespace | ${request({ namespace: [] })} | namespace must be a text
    no resource | ${request({ resource: null })} | resource.group must be a text
    no kind in the request | ${request({ kind: 'Pod' })} | kind.group must be a text
  allowed no handler for {}
    operation CONNECT | ${request({ operation: 'CONNECT', object: null })} | CONNECT of ttemplates v1beta2 on /validating
    another kind | ${request({ resource: { group: '', version: 'v1', resource: 'pods' } })} | CREATE of pods v1 on /validating
    another version of our kind | ${request({ resource: { group: 'k8s.tars.io', version: 'v1', resource: 'ttemplates' } })} | CREATE of ttemplates v1 on /validating
    a status-only update | ${isChanged(root, root, STATUS)} | UPDATE of ttemplates/status v1beta2 on /validating
`
