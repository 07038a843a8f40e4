import { describe, expect, it } from 'vitest'
import { MUTATING, VALIDATING } from '../../../certs/ca-bundle.ts'
import type { Inquired } from '../../../src/cluster/kube/inquiry.ts'
import type { Taken } from '../../../src/diagnosis/path.ts'
import { apiOf, calling, checked, SERVICE_URL, status, type Wishes } from './checked.ts'

const untouched = (object: object): Taken => ({ object, warning: '' })
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
