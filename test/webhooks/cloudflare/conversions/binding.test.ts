import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import { publishedBy, rulesOfBinding } from '../../../../webhooks/cloudflare/conversions/binding.ts'

const SERVICES: Readonly<Record<string, readonly Tree[]>> = {
  web: [{ port: 80 }],
  tls: [{ port: 443 }, { port: 80 }],
  dns: [{ port: 53, protocol: 'UDP' }],
  shell: [{ port: 22 }],
  bare: [],
}
const serviceOf = (name: string) => (SERVICES[name] === undefined ? undefined : { spec: { ports: SERVICES[name] } })
const converted = (subject: Tree, domain?: string) =>
  rulesOfBinding({ binding: { metadata: { namespace: 'demo' }, subjects: [subject] }, serviceOf, domain })

describe('CF-CNV-10 CF-TST-04 the subjects of a TunnelBinding', () => {
  it.each([
    { name: 'web', spec: { fqdn: 'a.b' }, rule: { hostname: 'a.b', path: '', service: 'http://web.demo.svc:80' } },
    { name: 'tls', spec: { fqdn: 'a.b' }, rule: { service: 'https://tls.demo.svc:443' }, reasons: ['Unsupported'] },
    { name: 'dns', spec: { fqdn: 'a.b' }, rule: { service: 'udp://dns.demo.svc:53' } },
    { name: 'shell', spec: { fqdn: 'a.b' }, rule: { service: 'ssh://shell.demo.svc:22' } },
    { name: 'shell', spec: { fqdn: 'a.b', protocol: 'TCP' }, rule: { service: 'tcp://shell.demo.svc:22' } },
    { name: 'shell', spec: { fqdn: 'a.b', protocol: 'gopher' }, rule: { service: 'ssh://shell.demo.svc:22' } },
    { name: 'web', spec: { fqdn: 'a.b', target: 'http://c:1' }, rule: { service: 'http://c:1' } },
    { name: 'web', spec: { fqdn: 'a.b', path: '/x[0-9]' }, rule: { path: '/x[0-9]' } },
    { name: 'gone', spec: { fqdn: 'a.b' }, rule: { service: 'http_status:404' }, reasons: ['ServiceNotFound'] },
    { name: 'bare', spec: { fqdn: 'a.b' }, rule: { service: 'http_status:404' }, reasons: ['ServiceNotFound'] },
  ])('$name $spec', ({ name, spec, rule, reasons = [] }) => {
    const { rules, notes } = converted({ name, spec })
    expect(rules).toEqual([expect.objectContaining(rule)])
    expect(notes.map(({ reason }) => reason)).toEqual(reasons)
  })
  it('without a hostname has its name in the domain of the tunnel, or none', () => {
    expect(converted({ name: 'web' }, 'example.com').rules).toMatchObject([{ hostname: 'web.example.com' }])
    expect(converted({ name: 'web' })).toEqual({
      rules: [],
      notes: [expect.objectContaining({ reason: 'RuleSkipped' })],
    })
  })
  it.each([
    {
      spec: { noTlsVerify: false, http2Origin: false, proxyAddress: '127.0.0.1', proxyPort: 0 },
      originRequest: undefined,
    },
    { spec: { noTlsVerify: true, http2Origin: true }, originRequest: { noTLSVerify: true, http2Origin: true } },
    {
      spec: { proxyAddress: '127.0.0.1', proxyPort: 80, proxyType: 'socks' },
      originRequest: { proxyAddress: '127.0.0.1', proxyPort: 80, proxyType: 'socks' },
    },
    { spec: { caPool: 'ca' }, originRequest: { caPool: '/etc/cloudflared/certs/ca' } },
    { spec: { caPool: '../a' }, originRequest: undefined },
  ])('sends of its origin what is set: $spec', ({ spec, originRequest }) => {
    expect(converted({ name: 'web', spec: { fqdn: 'a.b', ...spec } }).rules[0]?.originRequest).toEqual(originRequest)
  })
  it('its status says what each hostname leads to', () => {
    expect(publishedBy(converted({ name: 'web', spec: { fqdn: 'a.b' } }))).toEqual({
      hostnames: 'a.b',
      services: [{ hostname: 'a.b', target: 'http://web.demo.svc:80' }],
    })
    expect(rulesOfBinding({ binding: {}, serviceOf })).toEqual({ rules: [], notes: [] })
  })
})
