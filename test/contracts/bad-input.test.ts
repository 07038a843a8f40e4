import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAULTS } from '../../src/faults.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { TTEMPLATE } from '../../webhooks/tars/ttemplate/schema.ts'
import { aTConfig } from '../support/builders/configs.ts'
import { aTFrameworkConfig } from '../support/builders/framework-configs.ts'
import { aRelease, aTServer } from '../support/builders/servers.ts'
import { aTTemplate } from '../support/builders/templates.ts'
import { readersOf } from '../support/fakes/readers.ts'
import { posting, type Reply, Wire } from '../support/fakes/wire.ts'
import { reviewsOf, UID } from '../support/reviews.ts'
import { type Serving, serving } from '../support/serving.ts'
import { BAD_INPUT } from './bad-input/catalogue.ts'
import { type BadInput, inBrief, table } from './bad-input/entry.ts'

const GOOD = posting(JSON.stringify(reviewsOf(TTEMPLATE).creationOf(aTTemplate({ name: 'good' }))))
/** What the server can look up meanwhile. */
const THERE = [
  aTTemplate(),
  aTTemplate({ name: 'child', parent: 'base' }),
  aTTemplate({ name: 'tick', parent: 'tock' }),
  aTTemplate({ name: 'tock', parent: 'tick' }),
  aTFrameworkConfig(),
  aTServer({ server: 'Idle' }),
  aTServer({
    server: 'Run',
    release: aRelease(),
    annotations: { 'tars.io/MinReplicas': '1', 'tars.io/MaxReplicas': '5' },
  }),
  aTServer({ server: 'Odd', release: aRelease(), annotations: { 'tars.io/MaxReplicas': 'many' } }),
  aTConfig(),
  aTConfig({ name: 'v0', activated: false }),
]

const READERS = { readers: readersOf(...THERE) }

let server: Serving
let hasty: Serving
beforeAll(async () => {
  server = await serving(READERS)
  hasty = await serving({ ...READERS, timeouts: { headers: 300, request: 600, checkEvery: 50 } })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await hasty[Symbol.asyncDispose]()
})

describe('whatever arrives gets an answer of its own, and the next review its own (RL-11, SV-2)', () => {
  it.each(BAD_INPUT)('$chapter, $name: $http $code $message', async (entry) => {
    const { sent, late, ends = false, slow = false, closes = false } = entry
    const at = slow ? hasty : server
    const [before, logged] = [await failuresOf(at), at.log.lines.length]
    const wire = new Wire(await at.dial())
    wire.write(...sent)
    if (ends) wire.end()
    const shown = await wire.next()
    if (late !== undefined) wire.write(late)
    expect(answerIn(shown)).toEqual(expectedOf(entry))
    if (closes) expect(await wire.next()).toBeUndefined()
    else expect(await goodOn(wire)).toMatchObject(ANSWERED)
    wire.destroy()
    expect(await failuresOf(at)).toEqual(counted(before, entry))
    expect(at.log.lines.slice(logged)).toMatchObject(linesOf(entry))
    const other = new Wire(await at.dial())
    expect(await goodOn(other)).toMatchObject(ANSWERED)
    other.destroy()
  })

  it('and nothing of it is in the log', () => {
    expect(JSON.stringify([server.log.lines, hasty.log.lines])).not.toContain('hunter2')
  })

  it('and no object has got anything from it by way of its prototype (SV-1)', () => {
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

describe('what is no TLS as it is spoken here is hung up on, which is counted and not logged (OB-2)', () => {
  const OLD = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  const ERRORS = 'tars_admission_tls_errors_total'

  it.each([
    { name: 'TLS 1.1', options: { ...OLD, maxVersion: 'TLSv1.1' } as const },
    { name: 'HTTP/2 alone', options: { ALPNProtocols: ['h2'] } },
  ])('$name', async ({ options }) => {
    const before = (await server.counted(ERRORS)) ?? 0
    await expect(server.dial(options)).rejects.toThrow(/alert/)
    expect(await server.counted(ERRORS)).toBe(before + 1)
    expect(await goodOn(new Wire(await server.dial()))).toMatchObject(ANSWERED)
  })

  it.each([
    { name: 'plain HTTP', sent: GOOD },
    { name: 'a handshake that is none', sent: Buffer.from('160301ffff0100', 'hex') },
  ])('$name', async ({ sent }) => {
    const [before = 0, logged] = [await hasty.counted(ERRORS), hasty.log.lines.length]
    const socket = connect(hasty.port, '127.0.0.1')
      .on('error', () => {})
      .resume()
    socket.write(sent)
    await once(socket, 'close')
    expect(await hasty.counted(ERRORS)).toBe(before + 1)
    expect(hasty.log.lines.length).toBe(logged)
    expect(await goodOn(new Wire(await hasty.dial()))).toMatchObject(ANSWERED)
  })
})

describe('a table of bad input', () => {
  it.each([
    { name: 'a row that is indented as no row is', pieces: ['\n  allowed\n    a name | ', '\n   another | ', '\n'] },
    { name: 'an answer without a row', pieces: ['\n  allowed\n'] },
  ])('is refused with $name', ({ pieces }) => {
    expect(() => table(pieces, '', '')).toThrow(/an answer and its rows are expected/)
  })

  it('is refused with a row that does not say what is sent', () => {
    expect(() => table(['\n  allowed\n    a name\n'])).toThrow('a row says what is sent')
  })
})

describe('requests that come at once on one connection', () => {
  it('are answered in their order, each its own', async () => {
    const uids = ['a', 'b', 'c']
    const bodies = uids.map((uid) => GOOD.toString().replace(UID, uid.repeat(UID.length)))
    const wire = new Wire(await server.dial())
    wire.write(bodies.join(''))
    for (const uid of uids) expect(uidIn(await wire.next())).toBe(uid.repeat(UID.length))
    expect(await goodOn(wire)).toMatchObject(ANSWERED)
    wire.destroy()
  })
})

const ANSWERED = { code: 200, body: { response: { uid: UID, allowed: true } } }

function goodOn(wire: Wire): Promise<Reply | undefined> {
  wire.write(GOOD)
  return wire.next()
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  404: 'NotFound',
  408: 'Timeout',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  417: 'BadRequest',
  431: 'BadRequest',
}

/** A Status names a reason, a review says allowed, patched or why not. */
function expectedOf({ http, code, message }: BadInput) {
  if (http === 200 || code === '') return { http, code, message }
  return { http, code: REASONS[http], message }
}

function answerIn(shown: Reply | undefined) {
  if (shown === undefined) return 'closed without a word'
  const { code: http, body } = shown
  if (http === 200) return { http, ...decisionIn(body) }
  if (shown.text === '') return { http, code: '', message: '' }
  const { reason, message, ...rest } = body
  expect(rest).toEqual({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code: http })
  return { http, code: reason, message }
}

function decisionIn({ response }: Tree) {
  const { allowed, patch, warnings = [], status } = isTree(response) ? response : {}
  const shown = [warnings].flat().map(String)
  if (isTree(status)) return { code: status.reason, message: [inBrief(String(status.message)), ...shown].join('\n') }
  if (typeof patch === 'string')
    return {
      code: 'patched',
      message: [inBrief(timeless(Buffer.from(patch, 'base64').toString())), ...shown].join('\n'),
    }
  return { code: allowed === true ? 'allowed' : 'denied', message: shown.join('\n') }
}

const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g
/** What is filled in with the present, which is another one each time. */
function timeless(text: string): string {
  return text.replaceAll(MOMENT, (moment) => (Math.abs(Date.now() - Date.parse(moment)) < 60_000 ? '<now>' : moment))
}

function uidIn(shown: Reply | undefined): unknown {
  return isTree(shown?.body.response) ? shown.body.response.uid : undefined
}

async function failuresOf({ metrics }: Serving): Promise<ReadonlyMap<string, number>> {
  const [errors, cuts] = await Promise.all([metrics.handlerErrors.get(), metrics.cutConnections.get()])
  return new Map([
    ...errors.values.map(({ labels, value }) => [`error ${labels.class}`, value] as const),
    ...cuts.values.map(({ labels, value }) => [`cut ${labels.reason}`, value] as const),
  ])
}

/** What was no request is a connection that was cut, and not an error. */
function counted(before: ReadonlyMap<string, number>, { http, code }: BadInput): ReadonlyMap<string, number> {
  if (http === 200 || code === '') return before
  const what = `${Object.hasOwn(FAULTS, code) ? 'error' : 'cut'} ${code}`
  return new Map([...before, [what, (before.get(what) ?? 0) + 1]])
}

/** Whoever can reach the port must not fill the log by breaking connections. */
function linesOf({ http, code, message }: BadInput): readonly object[] {
  if (http === 200)
    return ['Invalid', 'Forbidden'].includes(code) || message.startsWith('no handler') ? [{ msg: 'reviewed' }] : []
  return Object.hasOwn(FAULTS, code) ? [{ level: 'warn', code, reason: message, msg: 'request not understood' }] : []
}
