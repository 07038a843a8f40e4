import { describe, expect, it } from 'vitest'
import { rulesOfIngress } from '../../../../webhooks/cloudflare/conversions/ingress.ts'
import { originOf } from '../../../../webhooks/cloudflare/conversions/origin-annotations.ts'
import { isHttp, protocolOf, serviceUrl } from '../../../../webhooks/cloudflare/conversions/protocols.ts'

const PROTOCOL = 'cloudflare.com/protocol'
/** All that says something, the strongest first, each something else. */
const HINTS = {
  annotations: { [PROTOCOL]: 'HTTPS', [`${PROTOCOL}-22`]: 'ws' },
  ofService: { [PROTOCOL]: 'wss' },
  port: { port: 22, appProtocol: 'tcp', name: 'smb' },
  defaultProtocol: 'rdp',
}

describe('CF-CNV-07 CF-TST-04 the protocol of a port', () => {
  it('is what the first of seven hints says', () => {
    const second = { ...HINTS, annotations: { [`${PROTOCOL}-22`]: 'ws' } }
    const third = { ...second, annotations: null }
    const fourth = { ...third, ofService: undefined }
    const fifth = { ...fourth, port: { port: 22, name: 'smb' } }
    const sixth = { ...fifth, port: { port: 22 } }
    const { defaultProtocol: _, ...last } = sixth
    const all = [HINTS, second, third, fourth, fifth, sixth, last].map((hints) => protocolOf(hints).protocol)
    expect(all).toEqual(['https', 'ws', 'wss', 'tcp', 'smb', 'rdp', 'ssh'])
  })
  it.each([
    [443, 'https'],
    [22, 'ssh'],
    [3_389, 'rdp'],
    [139, 'smb'],
    [445, 'smb'],
    [80, 'http'],
  ])('port %i alone is %s', (port, protocol) => expect(protocolOf({ port: { port } }).protocol).toBe(protocol))
  it.each([
    ['kubernetes.io/ws', 'ws'],
    ['KUBERNETES.IO/WSS', 'wss'],
    ['grpc', 'http'],
    ['kubernetes.io/h2c', 'http'],
    ['h2c', 'http'],
    ['redis', 'ssh'],
  ])('appProtocol %s is %s', (appProtocol, protocol) => {
    expect(protocolOf({ port: { port: 22, appProtocol } }).protocol).toBe(protocol)
  })
  it.each([
    ['http-web', 'http'],
    ['http2', 'http'],
    ['grpc-web', 'http'],
    ['secure', 'https'],
    ['websocket', 'ws'],
    ['websocket-secure', 'wss'],
    ['UDP', 'udp'],
    ['metrics', 'ssh'],
  ])('the name %s is %s', (name, protocol) => {
    expect(protocolOf({ port: { port: 22, name } }).protocol).toBe(protocol)
  })
  it('an unknown annotation is told of, and the next hint counts', () => {
    const found = protocolOf({ ...HINTS, annotations: { [PROTOCOL]: 'h2mux' } })
    expect(found.protocol).toBe('wss')
    expect(found.notes).toEqual([expect.objectContaining({ reason: 'InvalidAnnotation' })])
  })
  it('udp is published and warned of', () => {
    expect(protocolOf({ port: { port: 53, name: 'udp' } }).notes).toEqual([
      expect.objectContaining({ reason: 'Unsupported' }),
    ])
  })
  it('a bastion has no host, and other protocols than HTTP no path', () => {
    expect(serviceUrl('bastion', 'a', 1)).toBe('bastion')
    expect(['http', 'https', 'ws', 'wss', 'tcp', 'ssh'].map(isHttp)).toEqual([true, true, true, true, false, false])
    const paths = [{ path: '/x', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 22 } } } }]
    const ingress = { metadata: { namespace: 'a' }, spec: { rules: [{ host: 'a.b', http: { paths } }] } }
    const serviceOf = () => ({ spec: { ports: [{ port: 22 }] } })
    expect(rulesOfIngress({ ingress, serviceOf }).rules).toEqual([
      { hostname: 'a.b', path: '', service: 'ssh://s.a.svc:22' },
    ])
  })
})

describe('CF-CNV-08 CF-TST-04 annotations of an origin', () => {
  it.each([
    ['no-tls-verify', 'true', { noTLSVerify: true }],
    ['http2-origin', 'T', { http2Origin: true }],
    ['ca-pool', 'ca', { caPool: '/etc/cloudflared/certs/ca' }],
    ['proxy-address', '127.0.0.1', { proxyAddress: '127.0.0.1' }],
    ['proxy-port', '80', { proxyPort: 80 }],
    ['proxy-type', 'socks', { proxyType: 'socks' }],
    ['connect-timeout', '30s', { connectTimeout: '30s' }],
    ['tls-timeout', '1m30s', { tlsTimeout: '1m30s' }],
    ['keep-alive-timeout', '90s', { keepAliveTimeout: '90s' }],
    ['keep-alive-connections', '100', { keepAliveConnections: 100 }],
    ['origin-server-name', 'a', { originServerName: 'a' }],
    ['http-host-header', 'b', { httpHostHeader: 'b' }],
    ['disable-chunked-encoding', '1', { disableChunkedEncoding: true }],
    ['bastion-mode', 'False', { bastionMode: false }],
    ['tcp-keep-alive', '30s', { tcpKeepAlive: '30s' }],
    ['no-happy-eyeballs', '0', { noHappyEyeballs: false }],
    ['match-sni-to-host', 'TRUE', { matchSNItoHost: true }],
  ])('%s: %s', (name, value, originRequest) => {
    expect(originOf({ [`cloudflare.com/${name}`]: value })).toEqual({ originRequest, notes: [] })
  })
  it.each([
    ['no-tls-verify', 'yes'],
    ['ca-pool', '../../etc/passwd'],
    ['proxy-port', '65536'],
    ['proxy-port', '-1'],
    ['proxy-type', 'http'],
    ['connect-timeout', '30'],
    ['keep-alive-connections', '1.5'],
  ])('%s: %s is ignored, and told of', (name, value) => {
    const { originRequest, notes } = originOf({ [`cloudflare.com/${name}`]: value })
    expect(originRequest).toBeUndefined()
    expect(notes).toEqual([{ reason: 'InvalidAnnotation', message: expect.stringContaining(`cloudflare.com/${name}`) }])
  })
  it('stand over the defaults of the class, field by field', () => {
    const defaults = {
      noTlsVerify: true,
      disableChunkedEncoding: true,
      connectTimeout: '30s',
      caPool: 'ca',
      proxyType: '' as const,
    }
    const annotations = { 'cloudflare.com/connect-timeout': '5s', 'cloudflare.com/no-tls-verify': 'maybe' }
    expect(originOf(annotations, defaults).originRequest).toEqual({
      noTLSVerify: true,
      disableChunkedEncoding: true,
      connectTimeout: '5s',
      caPool: '/etc/cloudflared/certs/ca',
    })
    expect(originOf(undefined, {}).originRequest).toBeUndefined()
  })
})
