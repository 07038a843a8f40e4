import { describe, expect, it } from 'vitest'
import type { Api, Taken } from '../../../src/diagnosis/path.ts'
import { Fault } from '../../../src/faults.ts'
import type { Status } from '../../../src/kube/status.ts'
import type { Tree } from '../../../src/schema.ts'
import { type ApiServer, scriptedApiServer, statusOf } from '../../support/fakes/api-server.ts'
import { ManualClock } from '../../support/fakes/clock.ts'
import { ran } from '../../support/world.ts'
import { apiOf, calling, checked, completed, isGood, NAMESPACE, SERVICE_URL, status } from './checked.ts'

describe('the path that works', () => {
  it('is said to, step by step', async () => {
    expect(await checked(apiOf())).toEqual({
      code: 0,
      shown: `ok      the mutating webhook answers: an object is completed as TT-M2 says
ok      the validating webhook answers: an object is refused as TT-V1 says
note    no worker is installed
        tars-admission manifests | kubectl apply -f - brings one
the whole path works: API server, webhook, answer
`,
      waited: '',
    })
  })
  it('also where refusals are only warnings (--enforce warn)', async () => {
    const bad = (object: object) => ({ object, warning: '299 - "spec.parent: required (TT-V1)"' })
    expect((await checked(apiOf({ bad }))).code).toBe(0)
  })
})

describe('--wait', () => {
  /** Works from the nth try on. */
  function fromTry(nth: number, before: (object: object) => Taken | Status): Api {
    let tries = 0
    return apiOf({
      good: (object) => {
        tries += 1
        return tries < nth ? before(object) : completed(object)
      },
    })
  }
  const notYet = () => calling('mutating.tars.io', 'connect: connection refused')
  async function passing(seconds: number, clock: ManualClock): Promise<void> {
    for (let second = 0; second < seconds; second += 1) await clock.pass(1_000)
  }

  it('goes on until the path works, and says once what it waits for', async () => {
    const clock = new ManualClock()
    const [result] = await Promise.all([checked(fromTry(4, notYet), 60, clock), passing(3, clock)])
    expect(result).toMatchObject({ code: 0, waited: expect.stringMatching(/^waiting: our webhook refused.*\n$/) })
  })
  it('ends when its time is over, with the last trouble', async () => {
    const clock = new ManualClock()
    const [result] = await Promise.all([checked(fromTry(100, notYet), 3, clock), passing(3, clock)])
    expect(result).toMatchObject({ code: 1, shown: expect.stringContaining('refused the connection') })
    expect(clock.tick()).toBe(3_000)
  })
  it('does not wait for rights', async () => {
    expect(
      (
        await checked(
          fromTry(2, () => status(403, 'forbidden')),
          60,
        )
      ).code,
    ).toBe(3)
  })
  it('waits for an API server that is not there yet, and ends with 3 when it stays so', async () => {
    const clock = new ManualClock()
    const away = () => {
      throw new Fault('CLUSTER_UNREACHABLE', 'no answer from the API server')
    }
    expect((await Promise.all([checked(fromTry(2, away), 60, clock), passing(1, clock)]))[0].code).toBe(0)
    expect((await checked(fromTry(2, away))).code).toBe(3)
  })
  it('ends when its time is over also in the middle of a try, with the trouble before, if there was one', async () => {
    const clock = new ManualClock()
    const silent = () => new Promise<never>(() => {})
    const never = { ...apiOf(), tryOut: silent }
    const [first] = await Promise.all([checked(never, 5, clock), clock.pass(5_000)])
    expect(first).toMatchObject({
      code: 3,
      shown: expect.stringContaining('failed  no answer from the API server within 5 s'),
    })
    let tries = 0
    const falling = { ...apiOf(), tryOut: async () => (tries++ === 0 ? notYet() : silent()) }
    const passing = clock.pass(1_000).then(() => clock.pass(4_000))
    const [second] = await Promise.all([checked(falling, 5, clock), passing])
    expect(second).toMatchObject({ code: 1, shown: expect.stringContaining('refused the connection') })
    expect(clock.isWaitedFor).toBe(false)
  })
  it('without it there is one try', async () => {
    expect((await checked(fromTry(2, notYet))).code).toBe(1)
  })
})

describe('the command', () => {
  async function answering(
    answer: (body: Tree, path: string) => readonly [number, unknown, string?],
  ): Promise<ApiServer> {
    const server = await scriptedApiServer()
    server.always(({ method, path, query, body, json }) => {
      if (/\/(leases|deployments)\//.test(path)) return json(404, statusOf(404, 'NotFound'))
      const [code, shown, warning] = answer(method === 'POST' ? JSON.parse(body) : {}, path)
      json(query.dryRun === 'All' || method === 'GET' ? code : 599, shown, warning === undefined ? {} : { warning })
    })
    return server
  }

  it('asks for dry runs alone, and reads warnings and refusals', async () => {
    const seen: string[] = []
    const server = await answering((object, path) => {
      if (path.includes('webhookconfigurations')) return [200, { metadata: { name: 'x' } }]
      seen.push(path)
      if (isGood(object)) return [201, completed(object).object]
      return [201, object, '299 - "spec.parent: required (TT-V1)"']
    })
    const { code, out } = await ran(['check', '--kubeconfig', server.kubeconfig(), '--namespace', NAMESPACE])
    await server.stop()
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('the whole path works') })
    expect(seen).toEqual(Array(2).fill('/apis/k8s.tars.io/v1beta2/namespaces/shop/ttemplates'))
  })
  it('counts the endpoints behind a Service that cannot be called', async () => {
    const endpoints = [{ conditions: { ready: false } }, { conditions: { ready: false, terminating: true } }]
    const message = calling('mutating.tars.io', 'connection refused', SERVICE_URL).message
    const server = await answering((_object, path) =>
      path.endsWith('/namespaces/tars-system/endpointslices')
        ? [200, { items: [{ endpoints }, {}] }]
        : [500, statusOf(500, 'InternalError', { message })],
    )
    const { code, out } = await ran(['check', '--kubeconfig', server.kubeconfig()])
    await server.stop()
    expect({ code, out }).toMatchObject({
      code: 1,
      out: expect.stringContaining('no endpoint of Service tars-system/tars-webhook-service'),
    })
  })
  it('ends with 3 when the API server is out of reach', async () => {
    const server = await scriptedApiServer()
    server.always(({ reset }) => reset())
    const { code, out } = await ran(['check', '--kubeconfig', server.kubeconfig()])
    await server.stop()
    expect({ code, out }).toMatchObject({ code: 3, out: expect.stringContaining('no answer from the API server') })
  })
  it.each(['-1', 'long', '1.5'])('--wait %s is wrong usage', async (wait) => {
    expect((await ran(['check', `--wait=${wait}`])).code).toBe(2)
  })
})
