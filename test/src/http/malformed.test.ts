import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FaultCode } from '../../../src/faults.ts'
import type { Tree } from '../../../src/schema.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { MUTATING, VALIDATING } from '../../support/desk.ts'
import { type Sent, send } from '../../support/http-said.ts'
import { reviewsOf, UID, withRequest } from '../../support/reviews.ts'
import { type Serving, serving } from '../../support/serving.ts'
import { aTTemplate } from '../../support/templates.ts'

const { creationOf, updateOf, deletionOf } = reviewsOf(TTEMPLATE)
const review = creationOf(aTTemplate())
const JUST = JSON.stringify(review)

let server: Serving
beforeAll(async () => {
  server = await serving()
})
afterAll(() => server[Symbol.asyncDispose]())

const having = (parts: Tree) => JSON.stringify({ ...review, ...parts })
const request = (parts: Tree) => JSON.stringify(withRequest(review, parts))
const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

interface Fall {
  readonly code: FaultCode
  readonly message: string
  readonly of: Readonly<Record<string, NonNullable<Sent['body']>>>
}
const FALLS: readonly Fall[] = [
  {
    code: 'BODY_EMPTY',
    message: 'the body is empty; an AdmissionReview in JSON is expected',
    of: { 'nothing at all': '' },
  },
  {
    code: 'BODY_NOT_JSON',
    message: 'the body is not JSON; an AdmissionReview in JSON is expected',
    of: {
      'another text': 'password=hunter2',
      'half a review': JUST.slice(0, -20),
      'a byte order mark': `\uFEFF${JUST}`,
      gzip: gzipSync(JUST),
      NUL: '\0',
    },
  },
  {
    code: 'BODY_TOO_DEEP',
    message: 'nested deeper than 100 levels',
    of: { '101 levels': having({ more: JSON.parse(lists(100)) }), '200,000 levels': lists(200_000) },
  },
  {
    code: 'REVIEW_KIND',
    message: 'the body is no AdmissionReview but another JSON value',
    of: { 'a text': '"review"', 'a number': '1e400', null: 'null', 'a list': `[${JUST}]` },
  },
  { code: 'REVIEW_KIND', message: 'kind must be AdmissionReview', of: { 'another kind': having({ kind: 'Pod' }) } },
  {
    code: 'REVIEW_VERSION',
    message: 'apiVersion must be admission.k8s.io/v1, the only one spoken here',
    of: { v1beta1: having({ apiVersion: 'admission.k8s.io/v1beta1' }), 'no version': having({ apiVersion: null }) },
  },
  {
    code: 'REQUEST_MISSING',
    message: 'request must be an object',
    of: { 'request null': having({ request: null }), 'a request that is a list': having({ request: [] }) },
  },
  {
    code: 'UID_MISSING',
    message: 'request.uid must be a text that is not empty',
    of: { 'no uid': request({ uid: undefined }), 'a number for a uid': request({ uid: 7 }) },
  },
  {
    code: 'UID_MISSING',
    message: 'request.uid must not be longer than 256 characters',
    of: { 'a uid of 10 KB': request({ uid: 'u'.repeat(10_240) }) },
  },
  {
    code: 'OPERATION_UNKNOWN',
    message: 'request.operation must be one of CREATE, UPDATE, DELETE, CONNECT',
    of: { PATCH: request({ operation: 'PATCH' }), 'what all objects have': request({ operation: 'constructor' }) },
  },
  {
    code: 'OBJECT_MISSING',
    message: 'request.object must be an object on CREATE',
    of: { 'object null on CREATE': request({ object: null }), 'a list on CREATE': request({ object: [] }) },
  },
  {
    code: 'OBJECT_MISSING',
    message: 'request.object must be an object on UPDATE',
    of: { 'object null on UPDATE': JSON.stringify(updateOf(aTTemplate(), null)) },
  },
  {
    code: 'OLD_OBJECT_MISSING',
    message: 'request.oldObject must be an object on UPDATE',
    of: { 'oldObject null on UPDATE': JSON.stringify(updateOf(null, aTTemplate())) },
  },
  {
    code: 'OLD_OBJECT_MISSING',
    message: 'request.oldObject must be an object on DELETE',
    of: { 'oldObject null on DELETE': JSON.stringify(deletionOf(null)) },
  },
  {
    code: 'REQUEST_MALFORMED',
    message: 'request.userInfo.username must be a text',
    of: { 'no user': request({ userInfo: null }) },
  },
  {
    code: 'REQUEST_MALFORMED',
    message: 'request.dryRun must be true or false',
    of: { 'dryRun a text': request({ dryRun: 'yes' }) },
  },
]

describe('what cannot be understood is 400 with a Status, counted and logged under a code of its own (SV-2)', () => {
  it.each(FALLS.flatMap(({ of, ...fall }) => Object.entries(of).map(([name, body]) => ({ ...fall, name, body }))))(
    '$name: $code',
    async ({ body, code, message }) => {
      const counter = `tars_admission_handler_errors_total{kind="",class="${code}"}`
      const [before = 0, logged] = [await server.counted(counter), server.log.lines.length]
      const said = await send(server.origin, { body })
      const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 400, reason: 'BadRequest', message }
      expect({ code: said.code, body: said.body }).toEqual({ code: 400, body: status })
      expect(await server.counted(counter)).toBe(before + 1)
      const line = { level: 40, time: expect.anything(), code, path: VALIDATING, reason: message }
      expect(server.log.lines.slice(logged)).toEqual([{ ...line, msg: 'request not understood' }])
    },
  )

  it('and what it was is nowhere in the log', () => {
    expect(JSON.stringify(server.log.lines)).not.toContain('hunter2')
  })
})

describe('what is understood is answered, however odd it is', () => {
  it.each([
    { name: '100 levels', body: having({ more: JSON.parse(lists(99)) }) },
    { name: 'keys that stand twice, of which the last counts', body: JUST.replace('{', '{"kind":"Pod",') },
    { name: 'a lone surrogate', body: request({ more: '\uD800' }) },
    { name: 'numbers beyond all bounds', body: JUST.replace('{', '{"more":[1e400,-0,9007199254740993],') },
    { name: 'dryRun null', body: request({ dryRun: null }) },
    { name: 'no name', body: request({ name: null }) },
  ])('$name', async ({ body }) => {
    expect(await send(server.origin, { body })).toMatchObject({ code: 200, body: { response: { allowed: true } } })
  })

  it.each([
    { name: 'CONNECT', parts: { operation: 'CONNECT', object: null }, what: 'CONNECT of ttemplates v1beta2' },
    {
      name: 'another kind',
      parts: { resource: { group: '', version: 'v1', resource: 'pods' } },
      what: 'CREATE of pods v1',
    },
    { name: 'a subresource', parts: { subResource: 'status' }, what: 'CREATE of ttemplates/status v1beta2' },
  ])('$name has no door: allowed, with a warning (W-3)', async ({ parts, what }) => {
    const { body } = await send(server.origin, { body: request(parts), path: MUTATING })
    expect(body.response).toEqual({ uid: UID, allowed: true, warnings: [`no handler for ${what} on ${MUTATING}`] })
  })
})

describe('keys that other objects inherit are data (SV-1)', () => {
  const BAD = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},'

  it.each([MUTATING, VALIDATING])('at %s', async (path) => {
    const child = JSON.stringify(creationOf(aTTemplate({ name: 'child', parent: 'base' })))
    const labelled = child.replace('"labels":{', '"labels":{"__proto__":"x",')
    const body = labelled
      .replace('{', BAD)
      .replace('"request":{', `"request":${BAD}`)
      .replace('"object":{', `"object":${BAD}`)
    expect(await send(server.origin, { path, body })).toMatchObject({ code: 200, body: { response: { uid: UID } } })
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})
