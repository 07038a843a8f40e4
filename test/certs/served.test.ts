import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { issueAuthority, issueLeaf } from '../../certs/authority.ts'
import { filesSource } from '../../certs/files.ts'
import type { ServingPair } from '../../certs/pair.ts'
import { secretSource } from '../../certs/secret.ts'
import { SECRETS } from '../../certs/source.ts'
import { type Metrics, metricsOf } from '../../src/process/metrics.ts'
import { ManualClock } from '../support/fakes/clock.ts'
import { CountedCluster } from '../support/fakes/counted-cluster.ts'
import { notes } from '../support/notes.ts'
import { handshake } from './handshake.ts'

const DAY = 86_400_000
const SERVICE = 'tars-webhook-service.tars-system.svc'
const secret = { namespace: 'tars-system', name: 'tars-webhook-tls' }
const now = new Date()

type Laid = Readonly<Record<string, string>>
let good: Laid
let another: Laid

beforeAll(async () => {
  good = await freshPair()
  another = await freshPair()
})

async function freshPair(): Promise<Laid> {
  const authority = await issueAuthority(now)
  const { cert, key } = await issueLeaf(authority, [SERVICE], now)
  return { 'tls.crt': cert, 'tls.key': key, 'ca.crt': authority.cert }
}

/** What somebody else lays down is judged alike, wherever it lies. */
const WRONG = [
  {
    name: 'a certificate that is none',
    change: () => ({ 'tls.crt': 'x' }),
    says: /tls\.crt in .+ is not a certificate/,
  },
  { name: 'a key that is none', change: () => ({ 'tls.key': 'x' }), says: /tls\.key in .+ is not a private key/ },
  {
    name: 'the key of another pair',
    change: () => ({ 'tls.key': another['tls.key'] ?? '' }),
    says: /tls\.key in .+ is not the key of tls\.crt/,
  },
  {
    name: 'a chain that is cut off in its second certificate',
    change: () => ({ 'tls.crt': `${good['tls.crt']}${good['ca.crt']?.slice(0, 200)}` }),
    says: /tls\.crt in .+ cannot be served/,
  },
  { name: 'no CA', change: () => ({ 'ca.crt': '' }), says: /ca\.crt in .+ holds no certificate/ },
]

describe('source files', () => {
  const place = mkdtempSync(join(tmpdir(), 'certs-'))
  afterAll(() => rmSync(place, { recursive: true }))

  function folderOf(files: Laid): string {
    const folder = mkdtempSync(join(place, 'files-'))
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
    return folder
  }

  const from = (folder: string, at = now) =>
    filesSource({ folder, clock: new ManualClock(at), log: notes(), metrics: metricsOf(), watch: () => () => {} })

  it('serves the pair of its folder', async () => {
    const { current } = await from(folderOf(good))
    expect(await handshake(current(), { ca: current().ca, host: SERVICE })).toBe('verified')
    expect(current()).toMatchObject({ cert: good['tls.crt'], notAfter: expect.any(Date) })
  })

  it.each(['tls.crt', 'tls.key', 'ca.crt'])('names a missing %s', async (missing) => {
    const { [missing]: _, ...rest } = good
    const folder = folderOf(rest)
    const fault = { code: 'FILE_UNREADABLE', message: expect.stringContaining(join(folder, missing)) }
    await expect(from(folder)).rejects.toThrow(expect.objectContaining(fault))
  })

  it.each(WRONG)('refuses $name', async ({ change, says }) => {
    const fault = { code: 'CERTIFICATE', message: expect.stringMatching(says) }
    const started = from(folderOf({ ...good, ...change() }))
    await expect(started).rejects.toThrow(expect.objectContaining(fault))
  })

  it('refuses an expired pair and says since when', async () => {
    const end = new Date(now.getTime() + 30 * DAY)
    const says = `has expired on ${end.toISOString().slice(0, 10)}`
    await expect(from(folderOf(good), end)).rejects.toThrow(says)
  })
})

describe('source secret', () => {
  let cluster: CountedCluster
  let log: ReturnType<typeof notes>
  let metrics: Metrics
  let certDir: string

  beforeEach(() => {
    cluster = new CountedCluster()
    log = notes()
    metrics = metricsOf()
    certDir = mkdtempSync(join(tmpdir(), 'tars-admission-ca-'))
  })
  afterEach(() => rmSync(certDir, { recursive: true }))

  function put(laid: Laid): void {
    const base64 = Object.entries(laid).map(([name, text]) => [name, Buffer.from(text).toString('base64')])
    cluster.put(SECRETS, secret, { type: 'kubernetes.io/tls', data: Object.fromEntries(base64) })
  }
  const source = () => secretSource({ secret, certDir, cluster, clock: new ManualClock(now), log, metrics })

  it('serves the pair of the Secret, and each one that follows', async () => {
    put(good)
    const running = await source()
    expect(running.current().cert).toBe(good['tls.crt'])
    const renewal = new Promise<ServingPair>((resolve) => running.onRenewed(resolve))
    put(another)
    expect(await renewal).toMatchObject({ cert: another['tls.crt'], ca: another['ca.crt'] })
  })

  it('writes the CA certificate, and nothing else, where callers on this machine find it', async () => {
    put(good)
    await source()
    expect(readdirSync(certDir)).toEqual(['ca.crt'])
    expect(readFileSync(join(certDir, 'ca.crt'), 'utf8')).toBe(good['ca.crt'])
  })

  it('serves the last good one on', async () => {
    put(good)
    const running = await source()
    put({ ...good, 'tls.key': 'x' })
    await log.until('no new serving pair')
    expect(running.current().key).toBe(good['tls.key'])
    expect(log.lines).toContainEqual(expect.objectContaining({ reason: expect.stringContaining('tls.key'), ...secret }))
    expect(await metrics.registry.metrics()).toContain('tars_admission_cert_reload_total{result="failed"} 1')
  })

  it.each(WRONG)('refuses $name', async ({ change, says }) => {
    put({ ...good, ...change() })
    await expect(source()).rejects.toThrow(says)
  })

  it('says that the Secret is missing', async () => {
    await expect(source()).rejects.toThrow('Secret tars-system/tars-webhook-tls does not exist')
  })

  it('writes nothing', async () => {
    put(good)
    await source()
    expect(cluster.writes.requested).toBe(0)
  })
})
