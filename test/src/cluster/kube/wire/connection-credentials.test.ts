import { existsSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Connection, connect } from '../../../../../src/cluster/kube/wire/connection.ts'
import type { Tree } from '../../../../../src/schema.ts'
import { type Call, scriptedApiServer } from '../../../../support/fakes/api-server.ts'
import { clock, faultOf, noAnswer, PATH, server } from './connection-on-script.ts'

describe('credentials that change', () => {
  const seen: Call[] = []
  let plugged: Connection

  beforeEach(async () => {
    seen.length = 0
    server.always((call) => {
      seen.push(call)
      call.json(200, {})
    })
    plugged = await connect(server.kubeconfig({ exec: execOf(credential({ token: 'one' })) }), clock)
    await plugged.request('GET', PATH)
  })
  afterEach(() => plugged.stop())

  it('are asked for again after a second, and a new token goes over the same connection', async () => {
    credential({ token: 'two' })
    await plugged.request('GET', PATH)
    clock.advance(1_000)
    await plugged.request('GET', PATH)
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer one', 'Bearer one', 'Bearer two'])
    expect(server.connections).toBe(1)
  })

  it('bring a connection of their own when the certificate is another, and the old one is closed', async () => {
    const closing = server.nextClosing()
    credential(server.clientPair)
    clock.advance(1_000)
    await plugged.request('GET', PATH)
    expect(server.connections).toBe(2)
    await closing
  })

  it('are a fault when the plugin gives none, and its words are not repeated', async () => {
    server.file('credential.json', 'secret')
    clock.advance(1_000)
    const fault = await faultOf(plugged.request('GET', PATH))
    expect(fault).toMatchObject({ code: 'CLUSTER_UNREACHABLE', message: expect.stringContaining('no credentials') })
    expect(JSON.stringify(fault)).not.toContain('secret')
  })

  it('are asked for again when the plugin has hung for a minute', async () => {
    const hung = server.file('hung.sh', '[ -e "$0.once" ] || { touch "$0.once"; exec sleep 5; }; cat "$1"')
    const file = credential({ token: 'later' })
    const slow = await connect(server.kubeconfig({ exec: { command: 'sh', args: [hung, file] } }), clock)
    const fault = faultOf(slow.request('GET', PATH))
    await vi.waitFor(() => expect(existsSync(`${hung}.once`)).toBe(true), 5_000)
    await clock.pass(10_000)
    expect(await fault).toMatchObject({ code: 'CLUSTER_UNREACHABLE', message: noAnswer('within 10 s') })
    clock.advance(50_000)
    expect(await slow.request('GET', PATH)).toMatchObject({ status: 200 })
    expect(seen.at(-1)?.headers.authorization).toBe('Bearer later')
    slow.stop()
  })

  /** Expired as soon as it is given, so that the plugin is asked each time. */
  function credential(status: Tree): string {
    const expirationTimestamp = '2020-01-01T00:00:00Z'
    return server.file('credential.json', JSON.stringify({ status: { ...status, expirationTimestamp } }))
  }
  const execOf = (file: string) => ({ command: 'cat', args: [file] })
})

describe('credentials that are not believed', () => {
  it('are read anew: a token that lies in a file, though the library would keep it for a minute', async () => {
    const token = server.file('token', 'old')
    const user = { 'auth-provider': { name: 'tokenFile', config: { tokenFile: token } } }
    expect(await afterDistrust(user, () => void server.file('token', 'new'))).toBe('Bearer new')
  })

  it('are read anew: a token in the kubeconfig itself', async () => {
    expect(await afterDistrust({ token: 'old' }, () => void server.kubeconfig({ token: 'new' }))).toBe('Bearer new')
  })

  it('stay as they are where the kubeconfig leads elsewhere by now', async () => {
    const elsewhere = () => void server.kubeconfig({ token: 'of others' }, { server: 'https://127.0.0.1:1' })
    expect(await afterDistrust({ token: 'old' }, elsewhere)).toBe('Bearer old')
  })

  it('stay as they are while the kubeconfig cannot be read, and are read when it can', async () => {
    const broken = await connect(server.kubeconfig({ token: 'old' }), clock)
    server.always((call) => call.status(call.headers.authorization === 'Bearer new' ? 200 : 401, 'Unauthorized'))
    await broken.request('GET', PATH)
    server.file('kubeconfig', 'users: [')
    clock.advance(1_000)
    expect(await faultOf(broken.request('GET', PATH))).toMatchObject({ code: 'CLUSTER_UNREACHABLE' })
    server.kubeconfig({ token: 'new' })
    clock.advance(1_000)
    expect(await broken.request('GET', PATH)).toMatchObject({ status: 200 })
    broken.stop()
  })

  it('nor do we believe a server whose CA is another by now, until we have read the new one', async () => {
    const before = await scriptedApiServer()
    const own = server.kubeconfig()
    const ours = readFileSync(own, 'utf8')
    const file = before.kubeconfig({ token: 'x' }, { server: server.url })
    const misled = await connect(file, clock)
    expect(await faultOf(misled.request('GET', PATH))).toMatchObject({ message: expect.stringContaining('VERIFY') })
    before.file('kubeconfig', ours)
    clock.advance(1_000)
    server.always((call) => call.json(200, {}))
    expect(await misled.request('GET', PATH)).toMatchObject({ status: 200 })
    misled.stop()
    await before.stop()
  })

  /** What is said after a 401, once a second has passed. */
  async function afterDistrust(user: Tree, change: () => void): Promise<string | undefined> {
    const shown: (string | undefined)[] = []
    const expired = await connect(server.kubeconfig(user), clock)
    server.always((call) => {
      shown.push(call.headers.authorization)
      call.status(401, 'Unauthorized')
    })
    await expired.request('GET', PATH)
    expect(shown).toEqual(['Bearer old'])
    change()
    clock.advance(1_000)
    await expired.request('GET', PATH)
    expired.stop()
    return shown.at(-1)
  }
})

describe('a kubeconfig', () => {
  it.each([
    { name: 'that is not there', file: () => '/no/such/kubeconfig', words: '(ENOENT)' },
    { name: 'that is no YAML', file: () => server.file('bad', 'users: [token: secret'), words: '(YAMLException)' },
    { name: 'that is something else', file: () => server.file('bad', 'true'), words: 'no cluster' },
  ])('$name is a fault that does not quote it', async ({ file, words }) => {
    const fault = await faultOf(connect(file(), clock))
    expect(fault).toMatchObject({ message: expect.stringContaining(words) })
    expect(`${fault.message}${fault.cause}`).not.toContain('secret')
  })
})
