import { BODY_LIMIT } from '../../../src/http/intake/body.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { MUTATING, VALIDATING } from '../../support/desk.ts'
import { chunked, posting } from '../../support/fakes/wire.ts'
import { reviewsOf } from '../../support/reviews.ts'
import { allowed, cutOff, type Group, raw } from './entry.ts'

const GOOD = JSON.stringify(reviewsOf(TTEMPLATE).creationOf(aTTemplate({ name: 'new' })))
const padded = (bytes: number) => GOOD + ' '.repeat(bytes - GOOD.length)
const timed = (query: string) => posting(GOOD, { path: `${VALIDATING}?${query}` })
const asking = (line: string) => `${line}\r\nHost: us\r\n\r\n`
const TE = 'Transfer-Encoding: chunked'
const inChunks = (...parts: readonly string[]) => posting(chunked(...parts), { length: TE })

const NO_HTTP = 'this is no HTTP/1.1; a review is sent by POST, its Content-Length the bytes of its body'
const TWO_LENGTHS = 'the head states a second length of the body; Content-Length must stand alone'
const ODD_LENGTH = 'Content-Length must be one number, and alone to state the length of the body'
const ODD_ENCODING = 'Transfer-Encoding must be chunked, and alone to state the length of the body'
const ODD_HEADER = 'a header cannot be read: each must be a line of its own, like Name: value'

/** What is no request, or none that is taken here. */
export const REQUESTS: readonly Group[] = [
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
