import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { issueAuthority, LEAF_LIFE } from '../../../certs/authority.ts'
import type { KeyPair } from '../../../certs/pair.ts'
import type { Call } from '../../support/fakes/api-server.ts'
import { fileOf, folderOf } from '../../support/folders.ts'
import { serving } from '../../support/serving.ts'
import { ran } from '../../support/world.ts'
import { CONFIGURATIONS, ca, foreign, inDays, leaf, MINE, oldCa, SERVICE, status } from './certs-installed.ts'

const forbidden = (call: Call) => call.status(403, 'Forbidden')

describe('certs status, with nothing wrong (CT-6)', () => {
  it('prints source, subject, issuer, expiry and what the configurations trust', async () => {
    const { code, out } = await status()
    expect({ code, out }).toEqual({
      code: 0,
      out: `source: self
CA of Secret tars-system/tars-webhook-certs
  subject  CN=tars-admission CA
  issuer   CN=tars-admission CA
  expires  ${endOf(ca)} (1084 days left)
webhook mutating.tars.io (MutatingWebhookConfiguration tars-admission-mutating): trusts it; 1 certificate in its caBundle
webhook mutating.tars.io (MutatingWebhookConfiguration daemonset-patches-mutator): trusts it; 1 certificate in its caBundle
webhook validating.tars.io (ValidatingWebhookConfiguration tars-admission-validating): trusts it; 1 certificate in its caBundle
webhook validating.tars.io (ValidatingWebhookConfiguration daemonset-patches-validator): trusts it; 1 certificate in its caBundle

all is well
`,
    })
  })

  it('tells by what the Secret holds that somebody else fills it, and for whom the pair is', async () => {
    const data = { 'tls.crt': leaf.cert, 'tls.key': leaf.key, 'ca.crt': ca.cert }
    const { code, out } = await status([], { data })
    expect(code).toBe(0)
    expect(out).toContain('source: secret\nserving certificate of Secret tars-system/tars-webhook-certs\n')
    expect(out).toContain(`  for      ${SERVICE}, 127.0.0.1\n`)
  })

  it('looks into the folder of --certs files, and not into the Secret', async () => {
    const folder = folderOf({ 'tls.crt': leaf.cert, 'tls.key': leaf.key, 'ca.crt': ca.cert })
    const { code, out } = await status(['--certs=files', '--cert-dir', folder], { otherwise: { [MINE]: forbidden } })
    expect(code).toBe(0)
    expect(out).toContain(`source: files\nserving certificate of ${folder}\n`)
  })

  it('looks at nothing of the worker, which has no certificate', async () => {
    const asked = new Set<string>()
    expect((await status([], { hears: (name) => asked.add(name) })).code).toBe(0)
    expect([...asked].sort()).toEqual([...CONFIGURATIONS, MINE])
  })

  it('asks a running webhook for what it really serves', async () => {
    await using webhook = await serving({ pair: leaf })
    const { code, out } = await status(['--server', webhook.origin])
    expect(code).toBe(0)
    expect(out).toContain(`serving certificate of ${webhook.origin}\n  subject  CN=tars-admission\n`)
  })

  it('counts what else a bundle holds, and names what has expired there, which is no harm', async () => {
    const { code, out } = await status([], { bundle: ca.cert + foreign.cert + oldCa.cert })
    expect(code).toBe(0)
    expect(out).toContain(`trusts it; 3 certificates in its caBundle, CN=tars-admission CA expired ${endOf(oldCa)}`)
  })

  it('says until when a replaced CA of ours is trusted (CT-4)', async () => {
    const replaced = await issueAuthority(inDays(-20))
    const until = new Date(new X509Certificate(ca.cert).validFromDate.getTime() + LEAF_LIFE).toISOString()
    const bundle = replaced.cert + ca.cert
    const { code, out } = await status([], { bundle })
    expect(code).toBe(0)
    expect(out).toContain(`trusts it; 2 certificates in its caBundle, a replaced CA of ours until ${until}\n`)
    const [{ caBundle }] = JSON.parse((await status(['-o', 'json'], { bundle })).out).webhooks
    expect(caBundle.map(({ replacedUntil }: { replacedUntil?: string }) => replacedUntil)).toEqual([until, undefined])
  })

  it('says the same in JSON', async () => {
    const { code, out } = await status(['-o', 'json'])
    expect({ code, shown: JSON.parse(out) }).toMatchObject({
      code: 0,
      shown: {
        source: 'self',
        certificates: [{ role: 'ca', subject: 'CN=tars-admission CA', notAfter: endOf(ca), daysLeft: 1084 }],
        webhooks: [
          { name: 'mutating.tars.io', host: SERVICE, trusts: 'yes', caBundle: [{ notAfter: endOf(ca) }] },
          { name: 'mutating.tars.io', trusts: 'yes' },
          { name: 'validating.tars.io', trusts: 'yes' },
          { name: 'validating.tars.io', trusts: 'yes' },
        ],
        wrong: [],
        notKnown: [],
      },
    })
  })
})

describe('what cannot be said ends with 3', () => {
  it('for want of rights, with what to ask for', async () => {
    const names = [MINE, ...CONFIGURATIONS]
    const { code, out } = await status([], { otherwise: Object.fromEntries(names.map((name) => [name, forbidden])) })
    expect(code).toBe(3)
    expect(out).toContain('you may not read Secret tars-system/tars-webhook-certs; ask for the right to get it, or')
    expect(out).toContain('you may not read MutatingWebhookConfiguration tars-admission-mutating; ask for')
  })
  it('for want of the right to read Secrets alone: what is served can still be compared', async () => {
    await using webhook = await serving({ pair: leaf })
    const { code, out } = await status(['--server', webhook.origin], { otherwise: { [MINE]: forbidden } })
    expect(code).toBe(3)
    expect(out.match(/: trusts it;/g)).toHaveLength(CONFIGURATIONS.length)
  })
  it('for want of a cluster, and then the rest is said all the same', async () => {
    await using webhook = await serving({ pair: leaf })
    const reset = (call: Call) => call.reset()
    const otherwise = Object.fromEntries([MINE, ...CONFIGURATIONS].map((name) => [name, reset]))
    const { code, out } = await status(['--server', webhook.origin], { otherwise })
    expect(code).toBe(3)
    expect(out).toContain('no answer from the API server')
    expect(out).toContain(`serving certificate of ${webhook.origin}`)
  })
  it('for want of a kubeconfig, which without anything else to look at is wrong usage', async () => {
    await using webhook = await serving({ pair: leaf })
    const words = ['certs', 'status', '--kubeconfig', fileOf('{}')]
    const { code, out } = await ran([...words, '--server', webhook.origin])
    expect({ code, out }).toMatchObject({ code: 3, out: expect.stringContaining('serving certificate of') })
    expect((await ran(words)).code).toBe(2)
  })
  it('for want of the server', async () => {
    const { code, out } = await status(['--server', 'https://127.0.0.1:1'])
    expect({ code, out }).toMatchObject({ code: 3, out: expect.stringContaining('nobody listens there') })
  })
  it('unless something else is wrong', async () => {
    expect((await status([], { bundle: '', otherwise: { [MINE]: forbidden } })).code).toBe(3)
    expect((await status(['--server', 'https://127.0.0.1:1'], { bundle: '' })).code).toBe(1)
  })
})

it('no key is ever printed', async () => {
  const data = { 'tls.crt': leaf.cert + leaf.key, 'tls.key': leaf.key, 'ca.crt': ca.cert + ca.key, 'ca.key': ca.key }
  const shown = await Promise.all([status([], { data }), status(['-o', 'json'], { data })])
  for (const { out, err } of shown) {
    expect(out + err).not.toMatch(/PRIVATE|BEGIN/)
    for (const line of (leaf.key + ca.key).split('\n').filter((each) => each.length > 30))
      expect(out + err).not.toContain(line)
  }
})

it('--certs files without --cert-dir is wrong usage', async () => {
  expect((await status(['--certs=files'])).code).toBe(2)
})

function endOf({ cert }: KeyPair): string {
  return new X509Certificate(cert).validToDate.toISOString()
}
