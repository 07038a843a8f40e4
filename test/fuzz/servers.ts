import fc from 'fast-check'
import { BODY_LIMIT } from '../../src/http/intake/body.ts'
import { BYTE } from '../../src/http/intake/weight.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { BAD_INPUT } from '../contracts/bad-input/catalogue.ts'
import { MUTATING, VALIDATING } from '../support/answerer-parts.ts'
import { aKind, aRule } from '../support/builders/gadgets.ts'
import { readersOf } from '../support/fakes/readers.ts'
import { posting, type Reply, Wire } from '../support/fakes/wire.ts'
import { kinds } from '../support/kinds.ts'
import { type Serving, serving } from '../support/serving.ts'
import { addressedReview, recordedText, SEEN } from './recorded.ts'
import { must, type Opened, type Target, target } from './target.ts'

/** The server as it is served. */
const LARGEST = 20_000
const SENT = BAD_INPUT.filter(({ slow = false }) => !slow).map(({ sent }) =>
  Buffer.concat(sent.map((each) => Buffer.from(each))),
)
const number = fc.noBias(fc.nat())

/** A request whole, cut anywhere, or with bytes in it that do not belong there. */
const request = fc.oneof(
  recordedText.map((text) => posting(text)),
  fc.constantFrom(...SENT.filter(({ length }) => length < LARGEST)),
)
const spoilt = fc
  .tuple(
    request,
    fc.option(number),
    fc.option(number),
    fc.option(fc.uint8Array({ minLength: 1, maxLength: 4 })),
    number,
  )
  .map(([bytes, from, to, odd, where]) => {
    const cut = bytes.subarray(
      from === null ? 0 : from % bytes.length,
      to === null ? bytes.length : to % (bytes.length + 1),
    )
    const at = where % (cut.length + 1)
    return odd === null ? cut : Buffer.concat([cut.subarray(0, at), odd, cut.subarray(at + (where % 2))])
  })
const sent = fc.record({
  requests: fc.array(fc.oneof(request, spoilt), { minLength: 1, maxLength: 3 }),
  cuts: fc.array(number, { maxLength: 3 }),
})

const bytes = target({
  name: 'whatever bytes come over TLS, what is said is HTTP in words of ours, and the next caller is served (RL-11)',
  share: 1,
  ofReviews: true,
  cases: sent,
  async open() {
    const server = await serving({ readers: readersOf(...SEEN), room: BODY_LIMIT * BYTE })
    return {
      holds: (given) => mustBeSpokenTo(server, given),
      async close() {
        await mustHaveRoom(server)
        await server[Symbol.asyncDispose]()
      },
    }
  },
})

async function mustBeSpokenTo(
  server: Serving,
  { requests, cuts }: { requests: readonly Buffer[]; cuts: readonly number[] },
) {
  const wire = new Wire(await server.dial())
  wire.write(...piecesOf(Buffer.concat(requests), cuts))
  wire.end()
  for (let shown = await wire.next(); shown !== undefined; shown = await wire.next()) mustBeOurs(shown)
  wire.destroy()
  const next = new Wire(await server.dial())
  next.write(GOOD)
  must((await next.next())?.code === 200, 'the next caller is not served')
  next.destroy()
}

const GOOD = posting(
  JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: 'u',
      kind: { group: '', version: '', kind: '' },
      resource: { group: '', version: '', resource: '' },
      operation: 'CONNECT',
      userInfo: { username: '' },
    },
  }),
)
/** None of the bodies before has kept any: one that takes all the room comes in. */
async function mustHaveRoom(server: Serving): Promise<void> {
  const wire = new Wire(await server.dial())
  wire.write(posting(' '.repeat(BODY_LIMIT)))
  const shown = await wire.next()
  wire.destroy()
  must(shown?.code === 400, `HTTP ${shown?.code} to a body of 8 MiB: ${shown?.text}`)
}

const CODES = [200, 400, 404, 408, 413, 415, 417, 431]

function mustBeOurs({ code, text, body }: Reply): void {
  must(CODES.includes(code), `HTTP ${code}`)
  const isMute = text === '' && code !== 200 // to HEAD
  must(isMute || (code === 200 ? isTree(body.response) : body.kind === 'Status' && body.code === code), text)
}

function piecesOf(whole: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const ends = [...cuts.map((cut) => cut % (whole.length + 1)), whole.length].sort((one, other) => one - other)
  return ends.map((end, i) => whole.subarray(ends[i - 1] ?? 0, end))
}

const SECRET = 'hunter2'
/** What a log may name of a review (OB-2); every other text in it is somebody's secret. */
const NAMED = ['uid', 'operation', 'kind', 'resource', 'subResource', 'name', 'namespace', 'requestKind', 'dryRun']

const secrets = target({
  name: 'of a review the log names who, what and where; nothing else of it is in log and metrics (OB-2, SC-6)',
  share: 6,
  ofReviews: true,
  cases: fc.tuple(addressedReview([...kinds, aKind()]), fc.constantFrom(MUTATING, VALIDATING)),
  open: async () => watched(await serving({ kinds: [...kinds, leaky()], readers: readersOf(...SEEN), logEvery: 1 })),
})

/** Its rule and its mutation throw what they were given. */
const leaky = () => {
  const leak = (given: unknown): never => {
    throw Object.assign(new Error(JSON.stringify(given)), { given, code: SECRET, cause: new Error(SECRET) })
  }
  return aKind({ validate: [aRule({ check: leak })], mutate: [{ id: 'XX-M1', says: '', edits: leak }] })
}

function watched(server: Serving): Opened<readonly [unknown, string]> {
  let seen = 0
  return {
    async holds([body, path]) {
      const payload = JSON.stringify(withSecrets(body)) ?? ''
      const { statusCode } = await server.app.inject({
        method: 'POST',
        path,
        payload,
        headers: { 'content-type': 'application/json' },
      })
      must(statusCode === 200 || statusCode === 400, `HTTP ${statusCode}`)
      mustNotTell(JSON.stringify(server.log.lines.slice(seen)))
      seen = server.log.lines.length
    },
    async close() {
      const metrics = await server.metrics.registry.metrics()
      await server[Symbol.asyncDispose]()
      mustNotTell(metrics)
    },
  }
}

function mustNotTell(text: string): void {
  const at = text.indexOf(SECRET)
  must(at < 0, `a secret is told: ${text.slice(Math.max(0, at - 200), at + 20)}`)
}

function withSecrets(body: unknown): unknown {
  if (!isTree(body) || !isTree(body.request)) return body
  const { request, ...rest } = body
  const parts = Object.entries(request).map(
    ([key, value]) => [key, NAMED.includes(key) ? value : planted(value, key)] as const,
  )
  return { ...rest, request: Object.fromEntries(parts) }
}

/** Names stay: without them no rule would get as far as to say something. */
const KEPT = ['name', 'namespace', 'username', 'parent', 'apiVersion']
function planted(value: unknown, key: string): unknown {
  if (typeof value === 'string') return KEPT.includes(key) ? value : SECRET
  if (Array.isArray(value)) return value.map((each) => planted(each, ''))
  if (!isTree(value)) return value
  const entries: Tree = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, planted(inner, name)]))
  return entries
}

export const serverTargets: readonly Target[] = [bytes, secrets]
