import { Agent } from 'node:https'
import { describe, expect, it } from 'vitest'
import { issueAuthority } from '../../../certs/authority.ts'
import { reload } from '../../../src/http/review-server.ts'
import { VALIDATING } from '../../support/answerer-parts.ts'
import { GADGET } from '../../support/builders/gadget.ts'
import { aGadget, aKind } from '../../support/builders/gadgets.ts'
import { aPair } from '../../support/certificates.ts'
import { clientPair } from '../../support/client-certificates.ts'
import { send } from '../../support/http-said.ts'
import { reviewsOf, UID } from '../../support/reviews.ts'
import { serving } from '../../support/serving.ts'

const body = JSON.stringify(reviewsOf(GADGET).creationOf(aGadget()))
const kinds = [aKind()]
const [ours, others] = [await issueAuthority(new Date()), await issueAuthority(new Date())]
const [byName, byDns, foreign] = await Promise.all([
  clientPair(ours, 'kube-apiserver'),
  clientPair(ours, 'x', ['a.example', 'api.example']),
  clientPair(others, 'kube-apiserver'),
])
const callers = { ca: ours.cert, names: ['kube-apiserver', 'api.example'] }
const ANSWERED = { code: 200, body: { response: { uid: UID } } }

describe('callers that must have a certificate (SV-14)', () => {
  it.each([
    { name: 'its common name', pair: byName },
    { name: 'a DNS name', pair: byDns },
  ])('one of our CA that is known by $name is answered', async ({ pair }) => {
    await using server = await serving({ kinds, callers })
    const agent = new Agent({ keepAlive: true })
    for (let i = 0; i < 2; i += 1) expect(await send(server.origin, { body, pair, agent })).toMatchObject(ANSWERED)
    agent.destroy()
  })
  it('any of our CA is answered where no names are given', async () => {
    await using server = await serving({ kinds, callers: { ca: ours.cert, names: [] } })
    expect(await send(server.origin, { body, pair: byDns })).toMatchObject(ANSWERED)
  })
  it('one of our CA by another name reads why it is not, and its review is not read', async () => {
    await using server = await serving({ kinds, callers })
    const pair = await clientPair(ours, 'kube-apiserver.evil', ['evil.api.example'])
    expect(await send(server.origin, { body: '{', pair })).toMatchObject({
      code: 403,
      body: {
        kind: 'Status',
        code: 403,
        reason: 'Forbidden',
        message: 'the name in your certificate is not one that may ask here; --client-names has those',
      },
    })
    expect(await server.counted('tars_admission_handler_errors_total{kind="",class="CALLER_UNKNOWN"}')).toBe(1)
    const line = `controller_runtime_webhook_requests_total{webhook="${VALIDATING}",code="403"}`
    expect(await server.counted(line)).toBe(1)
  })
  it('one by another name that goes nowhere leaves nothing of its path in log and metrics', async () => {
    await using server = await serving({ kinds, callers })
    const pair = await clientPair(ours, 'x')
    expect(await send(server.origin, { path: '/hunter2', body, pair })).toMatchObject({ code: 404 })
    expect(JSON.stringify([server.log.lines, await server.metrics.registry.metrics()])).not.toContain('hunter2')
  })
  it.each([
    { name: 'of another CA', pair: foreign },
    { name: 'without one', pair: undefined },
  ])('a caller $name gets no connection, which is counted', async ({ pair }) => {
    await using server = await serving({ kinds, callers })
    await expect(send(server.origin, { body, ...(pair && { pair }) })).rejects.toThrow()
    await expect.poll(() => server.counted('tars_admission_tls_errors_total')).toBe(1)
  })
  it('are asked for it also after a renewal', async () => {
    await using server = await serving({ kinds, callers })
    reload(server.app, await aPair(), callers)
    await expect(send(server.origin, { body })).rejects.toThrow()
    expect(await send(server.origin, { body, pair: byName })).toMatchObject(ANSWERED)
  })
})

describe('a path that only callers know (SV-14)', () => {
  const WORD = 'hunter2-hunter2-hunter2'

  it('is where reviews are taken, and nowhere else', async () => {
    await using server = await serving({ kinds, base: `/${WORD}` })
    expect(await send(server.origin, { path: `/${WORD}${VALIDATING}`, body })).toMatchObject(ANSWERED)
    for (const path of [VALIDATING, `/${WORD.toUpperCase()}${VALIDATING}`, `${VALIDATING}/${WORD}`])
      expect(await send(server.origin, { path, body })).toMatchObject({ code: 404 })
  })
  it('is in no log, no metric and no answer', async () => {
    await using server = await serving({ kinds, base: `/${WORD}`, logEvery: 1 })
    const shown = []
    for (const each of [body, '{', '{}'])
      shown.push(await send(server.origin, { path: `/${WORD}${VALIDATING}`, body: each }))
    shown.push(await send(server.origin, { path: `/${WORD}/nowhere`, body }))
    expect(server.log.lines).toMatchObject([
      { webhook: 'validating.test' },
      { path: VALIDATING },
      { path: VALIDATING },
      { path: '' },
    ])
    expect(JSON.stringify([shown, server.log.lines, await server.metrics.registry.metrics()])).not.toContain(WORD)
  })
})
