import { describe, expect, it } from 'vitest'
import { issueLeaf } from '../../../certs/authority.ts'
import type { KeyPair } from '../../../certs/pair.ts'
import type { Call } from '../../support/fakes/api-server.ts'
import { folderOf } from '../../support/folders.ts'
import { serving } from '../../support/serving.ts'
import { ca, foreign, type Installed, leaf, MINE, newerCa, oldCa, oldLeaf, SERVICE, status } from './certs-installed.ts'

const gone = (call: Call) => call.status(404, 'NotFound')

describe('what is wrong ends with 1, and says what to do', () => {
  const pair = (cert: KeyPair, more: Readonly<Record<string, string>> = {}) => ({
    data: { 'tls.crt': cert.cert, 'tls.key': cert.key, 'ca.crt': ca.cert, ...more },
  })
  const CASES: readonly { name: string; installed: () => Installed; says: readonly string[] }[] = [
    {
      name: 'a webhook that trusts another CA alone',
      installed: () => ({ bundle: foreign.cert }),
      says: ['webhook mutating.tars.io (Mutating', 'does NOT trust it', 'manifests --set webhooks --ca FILE'],
    },
    {
      name: 'a CA of ours that was replaced and should have left (CT-4)',
      installed: () => ({ bundle: oldCa.cert + foreign.cert + ca.cert + newerCa.cert }),
      says: [
        'MutatingWebhookConfiguration tars-admission-mutating still trusts a replaced CA of ours, issued ',
        '(webhook mutating.tars.io); a running webhook with --manage-configurations takes it out within a minute',
      ],
    },
    { name: 'a bundle that was wiped', installed: () => ({ bundle: '' }), says: ['does NOT trust it; 0 certificates'] },
    {
      name: 'no CA yet',
      installed: () => ({ data: {} }),
      says: ['there is no CA in Secret tars-system/tars-webhook-certs; the first webhook that starts'],
    },
    {
      name: 'no Secret',
      installed: () => ({ otherwise: { [MINE]: gone } }),
      says: ['Secret tars-system/tars-webhook-certs does not exist; tars-admission manifests'],
    },
    {
      name: 'no configuration',
      installed: () => ({ otherwise: { 'tars-admission-mutating': gone } }),
      says: ['MutatingWebhookConfiguration tars-admission-mutating does not exist'],
    },
    {
      name: 'a configuration without a webhook of ours',
      installed: () => ({
        otherwise: {
          'tars-admission-mutating': (call) => call.json(200, { metadata: { name: 'tars-admission-mutating' } }),
        },
      }),
      says: ['no webhook of MutatingWebhookConfiguration tars-admission-mutating leads to us'],
    },
    {
      name: 'a CA that has expired',
      installed: () => ({ data: { 'ca.crt': oldCa.cert, 'ca.key': oldCa.key }, bundle: oldCa.cert }),
      says: [
        'the CA certificate of Secret tars-system/tars-webhook-certs has expired',
        'days ago)',
        'remove ca.crt and ca.key',
      ],
    },
    {
      name: 'a pair that expires within a day',
      installed: () => pair(oldLeaf),
      says: ['expires within a day', '(0 days left)', 'put a renewed tls.crt'],
    },
    {
      name: 'the key of another pair',
      installed: () => pair(leaf, { 'tls.key': oldLeaf.key }),
      says: ['is not the key of tls.crt: put in both of one pair'],
    },
    {
      name: 'a pair without a CA',
      installed: () => pair(leaf, { 'ca.crt': '' }),
      says: ['holds no certificate; put in'],
    },
    {
      name: 'a pair that another CA signed',
      installed: () => pair(leaf, { 'ca.crt': foreign.cert }),
      says: ['is not signed by the CA of ca.crt there; put the certificate of whoever signed it'],
    },
  ]
  it.each(CASES)('$name', async ({ installed, says }) => {
    const { code, out } = await status([], installed())
    expect(code).toBe(1)
    expect(out).toContain('\nwrong:\n  - ')
    for (const words of says) expect(out).toContain(words)
  })

  it('a served certificate that is not for the name by which the API server calls', async () => {
    await using webhook = await serving({ pair: await issueLeaf(ca, ['localhost'], new Date()) })
    const { code, out } = await status(['--server', webhook.origin])
    expect(code).toBe(1)
    expect(out).toContain(`is not for ${SERVICE}, by which the API server calls; have it issued for ${SERVICE} too`)
  })

  it('a served certificate of a CA that is not in the bundles', async () => {
    await using webhook = await serving({ pair: await issueLeaf(foreign, [SERVICE], new Date()) })
    const { code, out } = await status(['--server', webhook.origin])
    expect(code).toBe(1)
    expect(out).toContain(`does not trust the certificate of ${webhook.origin} (webhook mutating.tars.io)`)
  })

  it('the same beside a Secret whose own pair fits, of which nothing is wrong', async () => {
    const data = { 'tls.crt': leaf.cert, 'tls.key': leaf.key, 'ca.crt': ca.cert }
    await using webhook = await serving({ pair: await issueLeaf(foreign, [SERVICE], new Date()) })
    const { code, out } = await status(['--server', webhook.origin], { data })
    expect(code).toBe(1)
    expect(out).toContain(`does not trust the certificate of ${webhook.origin}`)
    expect(out).not.toContain('is not signed by the CA of ca.crt')
  })

  it('a folder that misses a file', async () => {
    const { code, out } = await status(['--certs=files', '--cert-dir', folderOf({ 'tls.crt': leaf.cert })])
    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining('tls.key cannot be read') })
  })
})
