import { createPrivateKey, X509Certificate } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { issueAuthority, issueLeaf } from '../../certs/authority.ts'
import type { KeyPair } from '../../certs/pair.ts'
import { handshake } from './handshake.ts'

const DAY = 86_400_000
const SERVICE = 'tars-webhook-service.tars-system.svc'
const now = new Date() // TLS asks the clock of the machine
const whole = (ms: number) => new Date(Math.floor(ms / 1000) * 1000)

let authority: KeyPair
let leaf: KeyPair
let certificate: X509Certificate

beforeAll(async () => {
  authority = await issueAuthority(now)
  leaf = await issueLeaf(authority, [SERVICE, '127.0.0.1', '[::1]'], now)
  certificate = new X509Certificate(leaf.cert)
})

describe('a CA', () => {
  it('may sign, lives three years, and was valid a little before it was made', () => {
    const { ca, validFromDate, validToDate } = new X509Certificate(authority.cert)
    expect({ ca, validFromDate, validToDate }).toEqual({
      ca: true,
      validFromDate: whole(now.getTime() - 5 * 60_000),
      validToDate: whole(now.getTime() + 3 * 365 * DAY),
    })
  })

  it('comes with its key', () => {
    expect(new X509Certificate(authority.cert).checkPrivateKey(createPrivateKey(authority.key))).toBe(true)
  })
})

describe('a leaf (CT-2)', () => {
  it('is issued by its CA, on P-256, for servers alone', () => {
    const issuer = new X509Certificate(authority.cert)
    expect(certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)).toBe(true)
    expect(certificate.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' })
    expect(certificate).toMatchObject({ ca: false, keyUsage: ['1.3.6.1.5.5.7.3.1'] })
  })

  it('lives 30 days', () => {
    expect(certificate.validToDate).toEqual(whole(now.getTime() + 30 * DAY))
  })

  it('does not outlive its CA', async () => {
    const last = new Date(now.getTime() + 3 * 365 * DAY - 60_000)
    const { validToDate } = new X509Certificate((await issueLeaf(authority, [SERVICE], last)).cert)
    expect(validToDate).toEqual(new X509Certificate(authority.cert).validToDate)
  })

  it('has a random, positive serial', async () => {
    const leaves = await Promise.all(Array.from({ length: 20 }, () => issueLeaf(authority, [SERVICE], now)))
    const serials = leaves.map(({ cert }) => new X509Certificate(cert).serialNumber)
    expect(new Set(serials).size).toBe(20)
    expect(serials.filter((serial) => serial.startsWith('-') || serial.length < 20)).toEqual([])
  })

  it.each([
    { name: 'verifies for the Service', host: SERVICE, shown: 'verified' },
    { name: 'verifies for the address', host: '127.0.0.1', shown: 'verified' },
    { name: 'does not verify for another name', host: 'other.tars-system.svc', shown: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  ])('$name', async ({ host, shown }) => {
    expect(await handshake(leaf, { ca: authority.cert, host })).toBe(shown)
  })

  it('names an IPv6 address as a URL writes it', () => {
    expect(certificate.checkIP('::1')).toBe('::1')
  })

  it('does not verify for who trusts another CA of the same name', async () => {
    const { cert } = await issueAuthority(now)
    expect(await handshake(leaf, { ca: cert, host: SERVICE })).toMatch(/^UNABLE_TO_/)
  })
})
