import { describe, expect, it } from 'vitest'
import { type Mutation, set } from '../../../src/admission/mutation.ts'
import { MUTATING, VALIDATING } from '../../support/answerer-parts.ts'
import { GADGET, type Gadget } from '../../support/builders/gadget.ts'
import { aGadget, aKind, aRule } from '../../support/builders/gadgets.ts'
import { UNREACHABLE } from '../../support/fakes/readers.ts'
import { send } from '../../support/http-said.ts'
import { reviewsOf, UID, withRequest } from '../../support/reviews.ts'
import { serving } from '../../support/serving.ts'

const { creationOf, deletionOf } = reviewsOf(GADGET)
const owner = { id: 'XX-M1', says: '', edits: () => [set('/spec/owner', 'ann'), set('/spec/note', 'x')] }
const needy = aRule({ check: (_, cluster) => cluster.list(GADGET, { namespace: 'demo' }).then(() => []) })
const kind = aKind({ mutate: [owner], validate: [aRule()] })
const good = creationOf(aGadget())
const high = creationOf(aGadget({ levels: { a: 9 } }))
const small = withRequest(high, { namespace: 'demo', userInfo: { username: 'bob', groups: ['all'] }, dryRun: true })

describe('the log (OB-2)', () => {
  it('has one line for a denied review, with all that one looks for', async () => {
    await using server = await serving({ kinds: [kind] })
    await server.caller.call(server.webhook(VALIDATING), small)
    expect(server.log.lines).toEqual([
      {
        level: 'warn',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        uid: UID,
        ref: '[ref 29d991ef]',
        kind: 'Gadget',
        operation: 'CREATE',
        namespace: 'demo',
        name: 'g',
        user: 'bob',
        dryRun: true,
        allowed: false,
        result: 'denied',
        rules: ['XX-V1'],
        ms: expect.any(Number),
        queueMs: 0,
        bytes: Buffer.byteLength(JSON.stringify(small)),
        webhook: 'validating.test',
        msg: 'reviewed',
      },
    ])
  })

  it('has the allowed ones as a sample', async () => {
    await using server = await serving({ kinds: [kind], logEvery: 10 })
    for (let i = 0; i < 30; i += 1) await server.caller.call(server.webhook(VALIDATING), good)
    expect(server.log.lines.map(({ result }) => result)).toEqual(['allowed', 'allowed', 'allowed'])
  })

  it('counts bytes, not characters', async () => {
    await using server = await serving({ kinds: [kind], logEvery: 1 })
    const body = JSON.stringify(withRequest(good, { more: 'größe' }))
    await send(server.origin, { body })
    expect(server.log.lines).toMatchObject([{ bytes: Buffer.byteLength(body) }])
  })

  it('names what came to no door', async () => {
    await using server = await serving({ kinds: [kind] })
    await server.caller.call(server.webhook(VALIDATING), withRequest(good, { operation: 'CONNECT', object: null }))
    expect(server.log.lines).toMatchObject([{ result: 'no_handler', operation: 'CONNECT', webhook: VALIDATING }])
  })
})

describe('the metrics of a review (OB-1)', () => {
  const DURATION = 'tars_admission_review_duration_seconds_count'

  it.each([
    {
      result: 'patched',
      path: MUTATING,
      review: good,
      labels: 'webhook="mutating.test",kind="Gadget",operation="CREATE",result="patched",dry_run="false"',
    },
    {
      result: 'allowed',
      path: VALIDATING,
      review: deletionOf(aGadget()),
      labels: 'webhook="validating.test",kind="Gadget",operation="DELETE",result="allowed",dry_run="false"',
    },
    {
      result: 'denied',
      path: VALIDATING,
      review: small,
      labels: 'webhook="validating.test",kind="Gadget",operation="CREATE",result="denied",dry_run="true"',
    },
    {
      result: 'no_handler',
      path: MUTATING,
      review: withRequest(good, { subResource: 'scale' }),
      labels: 'webhook="/mutating",kind="Gadget",operation="CREATE",result="no_handler",dry_run="false"',
    },
  ])('$result', async ({ path, review, labels }) => {
    await using server = await serving({ kinds: [kind] })
    await server.caller.call(server.webhook(path), review)
    expect(await server.counted(`${DURATION}{${labels}}`)).toBe(1)
    expect(await server.counted(`controller_runtime_webhook_requests_total{webhook="${path}",code="200"}`)).toBe(1)
    expect(await server.counted(`controller_runtime_webhook_latency_seconds_count{webhook="${path}"}`)).toBe(1)
  })

  it('what could not be answered', async () => {
    const kinds = [aKind({ validate: [needy] })]
    await using server = await serving({ kinds, readers: { cached: UNREACHABLE, live: UNREACHABLE } })
    await server.caller.call(server.webhook(VALIDATING), good)
    const labels = 'webhook="validating.test",kind="Gadget",operation="CREATE",result="unanswered",dry_run="false"'
    expect(await server.counted(`${DURATION}{${labels}}`)).toBe(1)
  })

  describe('under --enforce warn are of what went out, whatever was found (UX-3)', () => {
    const strict = aRule({ id: 'XX-V9', evenInWarn: true })
    const refusing = { ...owner, edits: () => ({ refuse: aRule(), findings: [{ path: 'spec.note', value: 9 }] }) }
    const asking: Mutation<Gadget> = {
      ...owner,
      edits: (_, cluster) => cluster.list(GADGET, { namespace: 'demo' }).then(() => []),
    }
    it.each([
      { name: 'only warned of', validate: [aRule()], result: 'would_refuse' },
      { name: 'refused all the same', validate: [aRule(), strict], result: 'denied' },
      { name: 'warned of while nothing can be looked up', validate: [needy, aRule()], result: 'would_refuse' },
      { name: 'refused while nothing can be looked up', validate: [needy, strict], result: 'denied' },
      { name: 'let pass while nothing can be looked up', validate: [needy], result: 'unanswered' },
      { name: 'put off, though it would be refused', mutate: [refusing, asking], result: 'unanswered' },
    ])('$name: $result', async ({ name, result, ...parts }) => {
      const readers = { cached: UNREACHABLE, live: UNREACHABLE }
      await using server = await serving({ kinds: [aKind(parts)], readers, enforce: 'warn' })
      await server.caller.call(server.webhook(parts.mutate ? MUTATING : VALIDATING), high)
      expect(server.log.lines).toMatchObject([{ result }])
      const exposed = await server.metrics.registry.metrics()
      expect(exposed.match(/review_duration_seconds_count\{.*result="(\w+)"/)?.[1]).toBe(result)
    })
  })

  it('patches by their operations, bodies by their bytes, refusals by their rule', async () => {
    await using server = await serving({ kinds: [kind] })
    await server.caller.call(server.webhook(MUTATING), good)
    await server.caller.call(server.webhook(VALIDATING), high)
    expect(await server.counted('tars_admission_patch_operations_sum')).toBe(2)
    expect(await server.counted('tars_admission_request_bytes_count')).toBe(2)
    const bytes = JSON.stringify(good).length + JSON.stringify(high).length
    expect(await server.counted('tars_admission_request_bytes_sum')).toBe(bytes)
    expect(await server.counted('tars_admission_denied_total{rule="XX-V1"}')).toBe(1)
  })

  it('those in flight, while they are', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<never[]>()
    const { promise: requested, resolve: ask } = Promise.withResolvers<void>()
    const slow = aRule({
      check: () => {
        ask()
        return answered
      },
    })
    await using server = await serving({ kinds: [aKind({ validate: [slow] })] })
    const outcome = server.caller.call(server.webhook(VALIDATING), good)
    await requested
    const gauges = [
      'tars_admission_reviews_in_flight',
      `controller_runtime_webhook_requests_in_flight{webhook="${VALIDATING}"}`,
    ]
    const inFlight = () => Promise.all(gauges.map((gauge) => server.counted(gauge)))
    expect(await inFlight()).toEqual([1, 1])
    answer([])
    await outcome
    expect(await inFlight()).toEqual([0, 0])
  })

  it('objects that our schema does not know as the API server does (CV-8)', async () => {
    await using server = await serving({ kinds: [kind] })
    await server.caller.call(server.webhook(VALIDATING), creationOf({ metadata: { name: 'g' }, spec: 7 }))
    expect(await server.counted('tars_admission_unfit_objects_total{kind="Gadget",which="object"}')).toBe(1)
  })

  it('are not as many as the names that somebody can think of', async () => {
    await using server = await serving({ kinds: [kind] })
    const kinds = Array.from({ length: 500 }, (_, i) => ({ group: 'x', version: 'v1', kind: `Kind${i}` }))
    for (const kind of kinds) await send(server.origin, { body: JSON.stringify(withRequest(good, { kind })) })
    const exposed = await server.metrics.registry.metrics()
    const named = new Set(
      [...exposed.matchAll(/review_duration_seconds_count\{.*kind="(\w+)"/g)].map(([, kind]) => kind),
    )
    expect(named.size).toBe(201)
    expect(named).toContain('other')
  })
})
