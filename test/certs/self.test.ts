import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { issueAuthority } from '../../certs/authority.ts'
import type { KeyPair, ServingPair } from '../../certs/pair.ts'
import { selfSource } from '../../certs/self.ts'
import { type CertificateSource, SECRETS } from '../../certs/source.ts'
import { Refused } from '../../src/cluster/port.ts'
import { Fault } from '../../src/faults.ts'
import { metricsOf } from '../../src/process/metrics.ts'
import { ManualClock } from '../support/fakes/clock.ts'
import { CountedCluster } from '../support/fakes/counted-cluster.ts'
import { notes } from '../support/notes.ts'
import { handshake } from './handshake.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const SERVICE = 'tars-webhook-service.tars-system.svc'
const secret = { namespace: 'tars-system', name: 'tars-webhook-certs' }
const place = mkdtempSync(join(tmpdir(), 'certs-'))
afterAll(() => rmSync(place, { recursive: true }))

let cluster: CountedCluster
let clock: ManualClock
let log: ReturnType<typeof notes>
let certDir: string

beforeEach(() => {
  cluster = new CountedCluster()
  clock = new ManualClock(new Date())
  log = notes()
  certDir = mkdtempSync(join(place, 'dir-'))
  cluster.put(SECRETS, secret, { type: 'Opaque' })
})

const source = () =>
  selfSource({ secret, hosts: [SERVICE, '127.0.0.1'], certDir, cluster, clock, log, metrics: metricsOf() })
const renewalOf = (of: CertificateSource) => new Promise<ServingPair>((resolve) => of.onRenewed(resolve))
/** Until it has taken note of its own write. */
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve))
const verified = ({ cert, key }: KeyPair, ca: string) => handshake({ cert, key }, { ca, host: SERVICE })
const base64 = (text: string) => Buffer.from(text).toString('base64')
const dataOf = ({ cert, key }: KeyPair) => ({ 'ca.crt': base64(cert), 'ca.key': base64(key) })
const stored = () => cluster.get(SECRETS, secret)

describe('source self (CT-2)', () => {
  it('fills the empty Secret with a CA and serves what verifies against it', async () => {
    const { ca, ...pair } = (await source()).current()
    const data = { 'ca.crt': base64(ca), 'ca.key': expect.stringMatching(/^LS0tLS1C/) }
    expect(await stored()).toMatchObject({ type: 'Opaque', data })
    expect(await verified(pair, ca)).toBe('verified')
    expect(pair.notAfter).toEqual(new X509Certificate(pair.cert).validToDate)
  })

  it.each([
    { name: 'no data', content: {} },
    { name: 'null', content: { data: null } },
    { name: 'empty values', content: { data: { 'ca.crt': '', 'ca.key': '' } } },
  ])('takes $name for empty', async ({ content }) => {
    cluster.put(SECRETS, secret, content)
    await source()
    expect(cluster.writes.taken).toBe(1)
  })

  it('keeps what else the Secret holds', async () => {
    cluster.put(SECRETS, secret, { type: 'Opaque', data: { note: 'bWluZQ==' } })
    await source()
    expect(await stored()).toMatchObject({ type: 'Opaque', data: { note: 'bWluZQ==' } })
  })

  it('converges on one CA when five replicas start at once', async () => {
    const pairs = (await Promise.all(Array.from({ length: 5 }, source))).map((each) => each.current())
    expect(cluster.writes).toEqual({ requested: 5, taken: 1 })
    const [ca = '', ...others] = new Set(pairs.map((pair) => pair.ca))
    expect(others).toEqual([])
    expect(new Set(pairs.map(({ cert }) => cert)).size).toBe(5)
    expect(await Promise.all(pairs.map((pair) => verified(pair, ca)))).toEqual(Array(5).fill('verified'))
  })

  it('writes nothing where there is a CA already', async () => {
    const authority = await issueAuthority(clock.now())
    cluster.put(SECRETS, secret, { data: dataOf(authority) })
    expect((await source()).current().ca).toBe(authority.cert)
    expect(cluster.writes.requested).toBe(0)
  })

  it('lays down the CA certificate, and no key', async () => {
    const { ca } = (await source()).current()
    expect(readdirSync(certDir)).toEqual(['ca.crt'])
    expect(readFileSync(join(certDir, 'ca.crt'), 'utf8')).toBe(ca)
  })

  it('mints a new leaf, and lays down the new CA, when another one is put into the Secret', async () => {
    const running = await source()
    const renewal = renewalOf(running)
    const authority = await issueAuthority(clock.now())
    cluster.put(SECRETS, secret, { data: dataOf(authority) })
    const pair = await renewal
    expect(running.current()).toBe(pair)
    expect(await verified(pair, authority.cert)).toBe('verified')
    expect(readFileSync(join(certDir, 'ca.crt'), 'utf8')).toBe(authority.cert)
  })

  it('issues a new CA when the Secret is emptied', async () => {
    const running = await source()
    const { ca } = running.current()
    const renewal = renewalOf(running)
    cluster.put(SECRETS, secret, {})
    expect((await renewal).ca).not.toBe(ca)
  })

  it('tries again when the API server cannot be reached, and says so', async () => {
    cluster.fault = new Fault('CLUSTER_UNREACHABLE', 'cannot reach the API server')
    const starting = source()
    await log.until('no new serving pair')
    clock.advance(1_000)
    expect((await starting).current().ca).toContain('BEGIN CERTIFICATE')
    expect(log.lines).toContainEqual(expect.objectContaining({ reason: 'cannot reach the API server', attempt: 1 }))
  })

  it('waits for the right that it lacks, and does not repeat what the API server quoted', async () => {
    cluster.fault = new Refused({ code: 403, reason: 'Forbidden', message: 'something of the object' })
    const starting = source()
    await log.until('no new serving pair')
    clock.advance(1_000)
    await starting
    expect(log.lines).toContainEqual(expect.objectContaining({ reason: 'Forbidden', code: 403 }))
  })

  it('leaves no timer behind when it is stopped', async () => {
    const running = await source()
    running.stop()
    expect(clock.waiting).toBe(0)
  })
})

describe('renewal', () => {
  it('comes at two thirds of the life of the leaf, from the same CA', async () => {
    const running = await source()
    const before = running.current()
    const renewal = renewalOf(running)
    clock.advance(20 * DAY)
    const pair = await renewal
    expect(pair.ca).toBe(before.ca)
    expect(pair.notAfter.getTime() - before.notAfter.getTime()).toBeGreaterThan(19 * DAY)
    expect(cluster.writes.requested).toBe(1)
  })

  it('does not come before', async () => {
    const running = await source()
    const renewal = renewalOf(running)
    await settled()
    clock.leap(20 * DAY - 5 * MINUTE)
    clock.advance(MINUTE)
    await settled()
    clock.advance(3 * MINUTE)
    const minted = (await renewal).notAfter.getTime() - 30 * DAY
    expect(minted).toBeGreaterThan(clock.now().getTime() - 2 * MINUTE)
  })

  it('comes within a minute after a machine has slept', async () => {
    const running = await source()
    const renewal = renewalOf(running)
    clock.leap(25 * DAY)
    clock.advance(MINUTE)
    expect((await renewal).notAfter.getTime()).toBeGreaterThan(clock.now().getTime() + 29 * DAY)
  })

  it('replaces an expired CA, once for all replicas', async () => {
    cluster.put(SECRETS, secret, { data: dataOf(await issueAuthority(new Date(Date.now() - 3 * 365 * DAY))) })
    const pairs = (await Promise.all([source(), source()])).map((each) => each.current())
    expect(cluster.writes).toEqual({ requested: 2, taken: 1 })
    expect(new Set(pairs.map(({ ca }) => ca)).size).toBe(1)
  })
})

describe('what is in the Secret and is not a CA', () => {
  const remedy = 'remove ca.crt and ca.key from it, and a new CA is issued'
  const fresh = async () => dataOf(await issueAuthority(new Date()))

  it.each([
    { name: 'no certificate', data: async () => ({ ...(await fresh()), 'ca.crt': base64('x') }), says: 'ca.crt' },
    { name: 'no key', data: async () => ({ 'ca.crt': (await fresh())['ca.crt'] }), says: 'ca.key' },
    {
      name: 'the key of another certificate',
      data: async () => ({ ...(await fresh()), 'ca.key': (await fresh())['ca.key'] }),
      says: 'ca.key in Secret tars-system/tars-webhook-certs is not the key of ca.crt',
    },
  ])('$name is refused with a remedy and not written over', async ({ data, says }) => {
    cluster.put(SECRETS, secret, { data: await data() })
    await expect(source()).rejects.toThrow(
      expect.objectContaining({
        code: 'CERTIFICATE',
        message: expect.stringMatching(new RegExp(`${says}.*; ${remedy}`)),
      }),
    )
    expect(cluster.writes.requested).toBe(0)
    expect(clock.waiting).toBe(0)
  })

  it('a leaf is refused: it could sign nothing', async () => {
    const { current } = await source()
    cluster.put(SECRETS, secret, { data: dataOf(current()) })
    await expect(source()).rejects.toThrow('is not the certificate of a CA')
  })

  it('a missing Secret says what brings it', async () => {
    await cluster.drop(SECRETS, secret)
    await expect(source()).rejects.toThrow('tars-admission manifests')
  })

  it('stops nobody who serves already', async () => {
    const running = await source()
    const pair = running.current()
    cluster.put(SECRETS, secret, { data: { 'ca.crt': base64('x') } })
    await log.until('no new serving pair')
    expect(running.current()).toBe(pair)
  })

  it('a folder that cannot be written is named', async () => {
    certDir = '/dev/null/certs'
    await expect(source()).rejects.toThrow('/dev/null/certs/ca.crt cannot be written')
  })
})
