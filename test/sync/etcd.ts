import { readFileSync, rmSync } from 'node:fs'
import { request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import { freePort } from '../cluster/control-plane.ts'
import { etcdProgram } from '../cluster/etcd-program.ts'
import { type Component, startComponent } from './component.ts'

export interface Etcd extends Component {
  /** `http://127.0.0.1:PORT`, or with https. */
  readonly endpoint: string
  readonly port: number
  put(values: Readonly<Record<string, string>>, token?: string): Promise<void>
  remove(key: string): Promise<void>
  /** Several keys in one transaction. */
  putTogether(values: Readonly<Record<string, string>>): Promise<void>
  revision(): Promise<number>
  /** Of everything up to the present revision. */
  compact(): Promise<void>
  /** Stops it and removes what it stored. */
  empty(): Promise<void>
  /** A request to its JSON gateway, which is not how the product speaks to it. */
  ask(path: string, body: object, token?: string): Promise<Answer>
}

interface Answer {
  readonly header?: { readonly revision?: string }
  readonly token?: string
}

export interface EtcdOptions {
  readonly flags?: readonly string[]
  readonly tls?: ServedTls
  readonly place?: Place
}

/** The ports of one, and for a member its name and all of them. */
interface Place {
  readonly port: number
  readonly peerPort: number
  readonly name?: string
  readonly cluster?: string
}

/** Files in PEM; the gateway is asked with the client's pair. */
export interface ServedTls {
  readonly flags: readonly string[]
  readonly client: { readonly ca: string; readonly cert: string; readonly key: string }
}

const HOST = '127.0.0.1'

export async function startEtcd({ flags = [], tls, place }: EtcdOptions = {}): Promise<Etcd> {
  const { port, peerPort, ...others } = place ?? { port: await freePort(), peerPort: await freePort() }
  const endpoint = `${tls ? 'https' : 'http'}://${HOST}:${port}`
  const ask = (path: string, body: object, token?: string) => asked(`${endpoint}${path}`, body, { tls, token })

  const component = await startComponent({
    name: 'etcd',
    program: (folder) =>
      etcdProgram({
        command: inject('components').etcd,
        data: dataIn(folder),
        client: endpoint,
        peer: peerAt(peerPort),
        ...others,
        flags: [...(tls?.flags ?? []), ...flags],
      }),
    isReady: () => answersAtAll(endpoint, tls),
  })

  const revision = async () => Number((await ask('/v3/kv/range', { key: base64('/') })).header?.revision)
  return {
    ...component,
    endpoint,
    port,
    ask,
    revision,
    async put(values, token) {
      for (const [key, value] of Object.entries(values)) {
        await ask('/v3/kv/put', { key: base64(key), value: base64(value) }, token)
      }
    },
    async remove(key) {
      await ask('/v3/kv/deleterange', { key: base64(key) })
    },
    async putTogether(values) {
      const success = Object.entries(values).map(([key, value]) => ({
        requestPut: { key: base64(key), value: base64(value) },
      }))
      await ask('/v3/kv/txn', { success })
    },
    async compact() {
      await ask('/v3/kv/compaction', { revision: String(await revision()), physical: true })
    },
    async empty() {
      await component.kill()
      rmSync(dataIn(component.folder), { recursive: true })
    },
  }
}

/** So many members of one cluster. */
export async function startEtcdCluster(many: number): Promise<readonly Etcd[]> {
  const places = []
  for (let i = 0; i < many; i++) {
    places.push({ name: `member-${i}`, port: await freePort(), peerPort: await freePort() })
  }
  const cluster = places.map(({ name, peerPort }) => `${name}=${peerAt(peerPort)}`).join()
  return Promise.all(places.map((place) => startEtcd({ place: { ...place, cluster } })))
}

const dataIn = (folder: string) => join(folder, 'data')
const peerAt = (port: number) => `http://${HOST}:${port}`

export const base64 = (value: string) => Buffer.from(value).toString('base64')

interface How {
  readonly tls: ServedTls | undefined
  readonly token?: string | undefined
}

async function asked(url: string, body: object, how: How): Promise<Answer> {
  const { status, words } = await posted(url, body, how)
  if (status !== 200) throw new Error(`etcd answered ${status} to ${url}: ${words}`)
  return JSON.parse(words)
}

async function posted(url: string, body: object, { tls, token }: How): Promise<{ status: number; words: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; words: string }>()
  const headers = { 'content-type': 'application/json', ...(token && { authorization: token }) }
  const options = { method: 'POST', headers, timeout: 5_000, ...(tls && contentOf(tls)) }
  const send = tls ? tlsRequest : plainRequest
  const call = send(url, options, async (response) => {
    resolve({ status: response.statusCode ?? 0, words: await text(response) })
  })
  call.on('error', reject)
  call.on('timeout', () => call.destroy(new Error(`${url} did not answer`)))
  call.end(JSON.stringify(body))
  return promise
}

function contentOf({ client: { ca, cert, key } }: ServedTls) {
  return { ca: readFileSync(ca), cert: readFileSync(cert), key: readFileSync(key), agent: false }
}

/** A refusal is an answer too: where authentication is on, the gateway refuses what comes without a token. */
async function answersAtAll(endpoint: string, tls: ServedTls | undefined): Promise<boolean> {
  const { words } = await posted(`${endpoint}/v3/kv/range`, { key: base64('/') }, { tls })
  return /"header"|user name is empty|invalid auth token|client cert/i.test(words)
}
