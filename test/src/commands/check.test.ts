import { describe, expect, it } from 'vitest'
import { MUTATING, VALIDATING } from '../../../certs/ca-bundle.ts'
import type { Inquired } from '../../../src/cluster/kube/inquiry.ts'
import { isStored } from '../../../src/cluster/stored.ts'
import { checkPath } from '../../../src/commands/check.ts'
import type { Api, Taken } from '../../../src/diagnosis/path.ts'
import { Fault } from '../../../src/faults.ts'
import type { Status } from '../../../src/kube/status.ts'
import { isTree, type Tree } from '../../../src/schema.ts'
import { type ApiServer, scriptedApiServer, statusOf } from '../../support/fakes/api-server.ts'
import { ManualClock } from '../../support/fakes/clock.ts'
import { kinds } from '../../support/kinds.ts'
import { ran } from '../../support/world.ts'

const NAMESPACE = 'shop'
const status = (code: number, message: string, more: Partial<Status> = {}): Status => ({
  code,
  reason: '',
  message,
  ...more,
})
const DENIAL = 'admission webhook "validating.tars.io" denied the request: spec.parent: required (TT-V1)'
const calling = (name: string, words: string, url = 'https://127.0.0.1:9443/mutating?timeout=10s') =>
  status(
    500,
    `Internal error occurred: failed calling webhook "${name}": failed to call webhook: Post "${url}": ${words}`,
  )

/** As admission leaves it: the label is gone from a root template. */
function completed(object: object): Taken {
  return { object: { ...object, metadata: { ...(isStored(object) && object.metadata), labels: {} } }, warning: '' }
}
const untouched = (object: object): Taken => ({ object, warning: '' })
const isGood = (object: object) => isTree(object) && isTree(object.spec) && object.spec.parent !== ''

interface Wishes {
  readonly good?: (object: object) => Taken | Status
  readonly bad?: (object: object) => Taken | Status
  readonly look?: Api['look']
  readonly ready?: number | undefined
}
/** A path that works, unless the case says otherwise, and no worker. */
function apiOf({ good = completed, bad = () => status(422, DENIAL), look, ...rest }: Wishes = {}): Api {
  const thereIs: Api['look'] = async ({ kind }) =>
    kind === 'Lease' || kind === 'Deployment' ? 'absent' : { metadata: { name: 'x' } }
  const ready = async () => ('ready' in rest ? rest.ready : 1)
  return {
    tryOut: async (_of, _namespace, object) => (isGood(object) ? good : bad)(object),
    look: look ?? thereIs,
    ready,
  }
}

async function checked(api: Api, wait = 0, clock = new ManualClock()) {
  const [shown, waited]: readonly [string[], string[]] = [[], []]
  const world = { out: (text: string) => void shown.push(text), err: (text: string) => void waited.push(text), clock }
  const code = await checkPath(api, { kinds, namespace: NAMESPACE, wait }, world)
  return { code, shown: shown.join(''), waited: waited.join('') }
}

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

const SERVICE_URL = 'https://tars-webhook-service.tars-system.svc:443/mutating?timeout=10s'
const barred = async (): Promise<Inquired> => 'barred'

describe('the step that fails is named, with its remedy', () => {
  const CASES: readonly { name: string; api: Wishes; code: number; says: readonly string[] }[] = [
    {
      name: 'no CustomResourceDefinition',
      api: { good: () => status(404, '404 page not found') },
      code: 1,
      says: ['does not know ttemplates.k8s.tars.io', '--set crds | kubectl apply'],
    },
    {
      name: 'no such namespace',
      api: { good: () => status(404, 'namespaces "shop" not found', { details: { kind: 'namespaces' } }) },
      code: 1,
      says: ['namespace shop does not exist'],
    },
    {
      name: 'no right to create',
      api: {
        good: () =>
          status(403, 'ttemplates.k8s.tars.io is forbidden: User "eve" cannot create', { reason: 'Forbidden' }),
      },
      code: 3,
      says: ['you may not create ttemplates.k8s.tars.io in namespace shop', 'User "eve"', 'auth can-i create'],
    },
    {
      name: 'nobody whom the API server knows',
      api: { good: () => status(401, 'Unauthorized') },
      code: 3,
      says: ['who asks'],
    },
    {
      name: 'no mutating configuration',
      api: { good: untouched, look: async (of) => (of === MUTATING ? 'absent' : 'barred') },
      code: 1,
      says: ['MutatingWebhookConfiguration tars-admission-mutating does not exist', '--set webhooks'],
    },
    {
      name: 'no validating configuration',
      api: { bad: untouched, look: async (of) => (of === VALIDATING ? 'absent' : 'barred') },
      code: 1,
      says: [
        'ok      the mutating webhook answers',
        'ValidatingWebhookConfiguration tars-admission-validating does not exist',
      ],
    },
    {
      name: 'an object that came through as it was',
      api: { good: untouched },
      code: 1,
      says: ['whoever answered was not us', 'failurePolicy Fail'],
    },
    {
      name: 'the same, and no right to look',
      api: { good: untouched, look: barred },
      code: 1,
      says: ['whoever answered was not us', 'you have no right to look'],
    },
    {
      name: 'a certificate that is not trusted',
      api: {
        good: () =>
          calling(
            'mutating.tars.io',
            'tls: failed to verify certificate: x509: certificate signed by unknown authority',
          ),
      },
      code: 1,
      says: ['does not trust the certificate', 'certs status', 'x509'],
    },
    {
      name: 'a webhook that wants to know who calls',
      api: { good: () => calling('mutating.tars.io', 'remote error: tls: certificate required') },
      code: 1,
      says: ['does not take the certificate of the API server', '--client-ca'],
    },
    {
      name: 'a path that is not ours',
      api: {
        good: () => calling('mutating.tars.io', 'nothing is served here; reviews are taken by POST at the paths'),
      },
      code: 1,
      says: ['takes no reviews at the path', '--secret-path'],
    },
    {
      name: 'a refused connection',
      api: { good: () => calling('mutating.tars.io', 'dial tcp 127.0.0.1:9443: connect: connection refused') },
      code: 1,
      says: ['refused the connection', 'kubectl get pods'],
    },
    {
      name: 'a Service that is not there',
      api: { good: () => calling('mutating.tars.io', 'service "tars-webhook-service" not found', SERVICE_URL) },
      code: 1,
      says: ['Service that the configuration names does not exist'],
    },
    {
      name: 'a Service without endpoints',
      api: {
        good: () => calling('mutating.tars.io', 'no endpoints available for service "x"', SERVICE_URL),
        ready: undefined,
      },
      code: 1,
      says: ['no endpoint of our webhook is ready'],
    },
    {
      name: 'a Service whose endpoints are not ready, as kube-proxy shows it',
      api: {
        good: () => calling('mutating.tars.io', 'dial tcp 10.0.0.9:443: connect: connection refused', SERVICE_URL),
        ready: 0,
      },
      code: 1,
      says: ['no endpoint of Service tars-system/tars-webhook-service is ready', 'kubectl -n tars-system get pods'],
    },
    {
      name: 'a ready endpoint that does not answer',
      api: { good: () => calling('mutating.tars.io', 'context deadline exceeded', SERVICE_URL), ready: 2 },
      code: 1,
      says: ['did not answer in time', 'network policies'],
    },
    {
      name: 'a validating webhook that fails otherwise',
      api: { bad: () => calling('validating.tars.io', 'malformed HTTP response') },
      code: 1,
      says: ['cannot call our webhook (validating.tars.io)', 'malformed HTTP response'],
    },
    {
      name: 'a webhook that hangs up',
      api: {
        good: () => calling('mutating.tars.io', 'write tcp 127.0.0.1:1->127.0.0.1:2: use of closed network connection'),
      },
      code: 1,
      says: ['hung up on the API server (mutating.tars.io)', '--client-ca'],
    },
    {
      name: 'the webhook of somebody else',
      api: { good: () => calling('policy.example.com', 'EOF') },
      code: 1,
      says: ['another webhook, policy.example.com, cannot be called'],
    },
    {
      name: 'a refusal by somebody else',
      api: { good: () => status(403, 'admission webhook "policy.example.com" denied the request: no') },
      code: 1,
      says: ['another webhook, policy.example.com, refuses'],
    },
    {
      name: 'a webhook of ours that cannot decide',
      api: {
        bad: () =>
          status(503, 'admission webhook "validating.tars.io" denied the request: cannot decide now [ref 12345678]'),
      },
      code: 1,
      says: ['validating.tars.io answers, but not as it should', '[ref 12345678]'],
    },
    {
      name: 'an API server in trouble',
      api: { good: () => status(500, 'etcd', { reason: 'InternalError' }) },
      code: 1,
      says: ['500 InternalError'],
    },
  ]
  it.each(CASES)('$name', async ({ api, code, says }) => {
    const result = await checked(apiOf(api))
    expect(result.code).toBe(code)
    expect(result.shown).toContain('failed ')
    for (const words of says) expect(result.shown).toContain(words)
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
      if (/\/(leases|deployments|mutatingwebhookconfigurations)\//.test(path))
        return json(404, statusOf(404, 'NotFound'))
      const [code, shown, warning] = answer(method === 'POST' ? JSON.parse(body) : {}, path)
      json(query.dryRun === 'All' || method === 'GET' ? code : 599, shown, warning === undefined ? {} : { warning })
    })
    return server
  }

  it('asks for dry runs alone, and reads warnings and refusals', async () => {
    const seen: string[] = []
    const server = await answering((object, path) => {
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
