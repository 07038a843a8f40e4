import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const HEADER = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/
/** The same as a manifest of a Secret or a kubeconfig carries it. */
const WRAPPED = /LS0tLS1CRUdJTi[A-Za-z0-9+/=]+/g

function holdsPrivateKey(text: string): boolean {
  const unwrapped = (text.match(WRAPPED) ?? []).map((base64) => Buffer.from(base64, 'base64').toString('latin1'))
  return [text, ...unwrapped].some((each) => HEADER.test(each))
}

describe('CT-7 no private key in git', () => {
  it('none of the tracked files holds one', () => {
    const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean)
    const present = files.map((file) => join(ROOT, file)).filter((file) => existsSync(file))
    expect(present.length).toBeGreaterThan(0)
    expect(present.filter((file) => holdsPrivateKey(readFileSync(file, 'latin1')))).toEqual([])
  })

  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = (type: 'pkcs8' | 'sec1') => privateKey.export({ type, format: 'pem' }).toString()
  const locked = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' } as const

  it.each([
    { name: 'in PKCS 8', text: () => pem('pkcs8') },
    { name: 'in SEC 1', text: () => `key: |\n  ${pem('sec1')}` },
    { name: 'with a password', text: () => privateKey.export(locked).toString() },
    { name: 'in the manifest of a Secret', text: () => `ca.key: ${Buffer.from(pem('pkcs8')).toString('base64')}` },
    { name: 'in a string of JSON', text: () => JSON.stringify({ key: pem('sec1') }) },
  ])('one $name would be found', ({ text }) => {
    expect(holdsPrivateKey(text())).toBe(true)
  })

  it('a certificate is none', () => {
    expect(holdsPrivateKey('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----')).toBe(false)
  })
})
