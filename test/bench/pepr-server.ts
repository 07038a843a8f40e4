import { readFileSync } from 'node:fs'
import { get } from 'node:https'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { LABELS } from '../../webhooks/tars/names.ts'
import { answerToParent } from './child.ts'

/**
 * The admission server of the `pepr` that is installed in a folder, as its controller starts it in a pod, with one
 * capability: the labels and defaults that ours gives these objects, and one rule for each.
 */
const [installed = '', certs = '', port = ''] = process.argv.slice(2)

interface Request<T> {
  readonly Raw: T
  SetLabel(key: string, value: string): void
  Approve(): unknown
  Deny(message: string, code: number): unknown
}
interface Actions<T> {
  Mutate(action: (request: Request<T>) => void): Actions<T>
  Validate(action: (request: Request<T>) => unknown): void
}
interface Pepr {
  readonly a: { readonly GenericKind: unknown }
  readonly Capability: new (
    about: object,
  ) => {
    When<T>(model: unknown, kind: object): { IsCreatedOrUpdated(): Actions<T>; IsCreated(): Actions<T> }
  }
  readonly PeprModule: new (
    from: object,
    capabilities: readonly unknown[],
    options: object,
  ) => { start(port: number): void }
}

interface TServer {
  readonly spec: {
    readonly app: string
    readonly server: string
    readonly subType: string
    readonly tars: { readonly template: string; readonly servants: readonly { readonly port: number }[] }
    readonly k8s: { readinessGate?: string }
  }
}
interface TConfig {
  readonly app: string
  readonly server: string
  readonly configName: string
  readonly activated: boolean
  podSeq?: string
  version?: string
  updateTime?: string
}

const { a, Capability, PeprModule }: Pepr = createRequire(`${installed}/package.json`)('pepr')
const tars = new Capability({ name: 'tars', description: 'labels and defaults of TarsK8S', namespaces: [] })
const kind = (kind: string) => ({ group: 'k8s.tars.io', version: 'v1beta2', kind })

tars
  .When<TServer>(a.GenericKind, kind('TServer'))
  .IsCreatedOrUpdated()
  .Mutate(function completed(request) {
    const { app, server, subType, tars, k8s } = request.Raw.spec
    request.SetLabel(LABELS.app, app)
    request.SetLabel(LABELS.server, server)
    request.SetLabel(LABELS.subType, subType)
    request.SetLabel(LABELS.template, tars.template)
    k8s.readinessGate = 'tars.io/active'
  })
  .Validate(({ Raw, Approve, Deny }) =>
    Raw.spec.tars.servants.some(({ port }) => port === 19385) ? Deny('19385 is reserved', 422) : Approve(),
  )
tars
  .When<TConfig>(a.GenericKind, kind('TConfig'))
  .IsCreated()
  .Mutate(function completed(request) {
    const config = request.Raw
    config.podSeq ??= 'm'
    config.version = `${new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)}-bench`
    config.updateTime = new Date().toISOString()
    request.SetLabel(LABELS.app, config.app)
    request.SetLabel(LABELS.server, config.server)
    request.SetLabel(LABELS.configName, config.configName)
    request.SetLabel(LABELS.podSeq, config.podSeq)
    request.SetLabel(LABELS.version, config.version)
    request.SetLabel(LABELS.activated, String(config.activated))
  })
  .Validate(({ Raw, Approve, Deny }) =>
    Raw.podSeq !== 'm' && Raw.server === '' ? Deny('podSeq: there is no server', 422) : Approve(),
  )

const nobody = { namespaces: [] }
const pepr = { uuid: 'bench', onError: 'reject', webhookTimeout: 10, alwaysIgnore: nobody, admission: {}, watch: {} }
new PeprModule({ description: 'bench', pepr }, [tars], { deferStart: true }).start(Number(port))
while (!(await isServing())) await sleep(100)
answerToParent(Number(port))

/** Its paths are there when it has read its store. */
function isServing(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const ca = readFileSync(`${certs}/ca.crt`)
  get({ host: '127.0.0.1', port, path: '/healthz', ca, agent: false }, (response) => {
    response.resume()
    resolve(response.statusCode === 200)
  }).on('error', () => resolve(false))
  return promise
}
