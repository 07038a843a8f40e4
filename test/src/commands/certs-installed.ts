import { afterEach, beforeAll, beforeEach } from 'vitest'
import { issueAuthority, issueLeaf } from '../../../certs/authority.ts'
import type { KeyPair } from '../../../certs/pair.ts'
import { type ApiServer, type Call, scriptedApiServer } from '../../support/fakes/api-server.ts'
import { type Ran, ran } from '../../support/world.ts'

const DAY = 86_400_000
export const SERVICE = 'tars-webhook-service.tars-system.svc'
const now = Date.now()
export const inDays = (days: number) => new Date(now + days * DAY)

// The hooks below set these for each test file that imports this one.
/** Of one CA, and of one that is of no concern. */
export let ca: KeyPair
export let leaf: KeyPair
export let foreign: KeyPair
export let oldLeaf: KeyPair
export let oldCa: KeyPair
export let newerCa: KeyPair
beforeAll(async () => {
  ca = await issueAuthority(inDays(-10))
  leaf = await issueLeaf(ca, [SERVICE, '127.0.0.1'], inDays(-1))
  foreign = await issueAuthority(inDays(-1), 'CN=other')
  oldLeaf = await issueLeaf(ca, [SERVICE], inDays(-29.5))
  oldCa = await issueAuthority(inDays(-1_200))
  newerCa = await issueAuthority(inDays(0))
})

let server: ApiServer
beforeEach(async () => {
  server = await scriptedApiServer()
})
afterEach(() => server.stop())

const base64 = (text: string) => Buffer.from(text).toString('base64')

export interface Installed {
  /** Of the Secret. */
  readonly data?: Readonly<Record<string, string>>
  readonly bundle?: string
  /** Answered otherwise, by the end of their path. */
  readonly otherwise?: Readonly<Record<string, (call: Call) => void>>
  /** Hears of each path. */
  readonly hears?: (path: string) => void
}

/** What an operator has in place: all is well unless the case says otherwise. */
export async function status(args: readonly string[] = [], installed: Installed = {}): Promise<Ran> {
  const { data = { 'ca.crt': ca.cert, 'ca.key': ca.key }, bundle = ca.cert, otherwise = {}, hears } = installed
  server.always((call) => {
    const last = call.path.split('/').at(-1) ?? ''
    const own = otherwise[last]
    hears?.(last)
    if (own !== undefined) return own(call)
    if (last === 'tars-webhook-certs') return call.json(200, secretOf(last, data))
    return call.json(200, configurationOf(last, bundle))
  })
  return ran(['certs', 'status', '--kubeconfig', server.kubeconfig(), ...args])
}

function secretOf(name: string, data: Readonly<Record<string, string>>) {
  const encoded = Object.entries(data).map(([key, text]) => [key, base64(text)])
  return { kind: 'Secret', metadata: { name, namespace: 'tars-system' }, data: Object.fromEntries(encoded) }
}

function configurationOf(name: string, bundle: string) {
  const isMutating = name.includes('mutat')
  const service = { namespace: 'tars-system', name: 'tars-webhook-service', path: '/x' }
  const ours = {
    name: `${isMutating ? 'mutating' : 'validating'}.tars.io`,
    clientConfig: { service, caBundle: base64(bundle) },
  }
  const others = { name: 'others.example.com', clientConfig: { service: { namespace: 'x', name: 'y' } } }
  const kind = isMutating ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration'
  return { kind, metadata: { name }, webhooks: [others, ours] }
}
/** All that the API server is asked for. */
export const CONFIGURATIONS = [
  'daemonset-patches-mutator',
  'daemonset-patches-validator',
  'tars-admission-mutating',
  'tars-admission-validating',
]
export const MINE = 'tars-webhook-certs'
