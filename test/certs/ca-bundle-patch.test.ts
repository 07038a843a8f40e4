import { beforeAll, describe, expect, it } from 'vitest'
import { issueAuthority } from '../../certs/authority.ts'
import { bundlePatch } from '../../certs/ca-bundle.ts'
import type { Built } from '../../src/cluster/port.ts'
import { base64, type ClientConfig, ca, now, other, ours, service, text, toService, webhooks } from './ca-bundles.ts'

const configuration = (...configs: readonly ClientConfig[]): Built => ({
  metadata: { name: 'tars', resourceVersion: '7' },
  ...webhooks(...configs),
})

function addedTo(found: Built): readonly string[] {
  const operations = bundlePatch(found, ours, { ca }) ?? []
  return operations.flatMap((operation) => (operation.op === 'add' ? [text(operation.value)] : []))
}

describe('the patch of a bundle (CT-5)', () => {
  it('is tied to the version and to each name', () => {
    expect(bundlePatch(configuration(toService, { url: 'https://example.com/' }, toService), ours, { ca })).toEqual([
      { op: 'test', path: '/metadata/resourceVersion', value: '7' },
      { op: 'test', path: '/webhooks/0/name', value: 'w0.tars.io' },
      { op: 'add', path: '/webhooks/0/clientConfig/caBundle', value: base64(ca) },
      { op: 'test', path: '/webhooks/2/name', value: 'w2.tars.io' },
      { op: 'add', path: '/webhooks/2/clientConfig/caBundle', value: base64(ca) },
    ])
  })

  it.each([
    { name: 'our Service', clientConfig: toService, count: 1 },
    { name: 'a Service of our name elsewhere', clientConfig: { service: { ...service, namespace: 'x' } }, count: 0 },
    { name: 'another Service', clientConfig: { service: { ...service, name: 'x' } }, count: 0 },
    { name: 'our URL with another path', clientConfig: { url: 'https://127.0.0.1:9443/mutating' }, count: 1 },
    { name: 'our host with another port', clientConfig: { url: 'https://127.0.0.1:9444/mutating' }, count: 0 },
    {
      name: 'a URL that only begins like ours',
      clientConfig: { url: 'https://127.0.0.1:9443.example.com/' },
      count: 0,
    },
    { name: 'nothing', clientConfig: {}, count: 0 },
  ])('touches $count webhooks for $name', ({ clientConfig, count }) => {
    expect(addedTo(configuration(clientConfig))).toHaveLength(count)
  })

  it('knows no URL of ours where none is configured', () => {
    const found = configuration({ url: 'https://127.0.0.1:9443/mutating' })
    expect(bundlePatch(found, { service }, { ca })).toBeUndefined()
  })

  it.each([
    { name: 'is not there', bundle: () => ({}), becomes: () => ca },
    { name: 'is empty', bundle: () => ({ caBundle: '' }), becomes: () => ca },
    { name: 'is a placeholder', bundle: () => ({ caBundle: 'Cg==' }), becomes: () => ca },
    { name: 'holds what others put in', bundle: () => ({ caBundle: base64(other) }), becomes: () => other + ca },
    {
      name: 'ends in a certificate cut off',
      bundle: () => ({ caBundle: base64(`${other}-----BEGIN CERTIFICATE-----\nMIIB`) }),
      becomes: () => other + ca,
    },
    {
      name: 'holds the other with lines of its own',
      bundle: () => ({ caBundle: base64(other.replaceAll('\n', '\r\n')) }),
      becomes: () => `${other.replaceAll('\n', '\r\n').trimEnd()}\n${ca}`,
    },
  ])('is the union when the bundle $name', ({ bundle, becomes }) => {
    expect(addedTo(configuration({ ...toService, ...bundle() }))).toEqual([becomes()])
  })

  it.each([
    { name: 'ours alone', bundle: () => ca },
    { name: 'ours among others', bundle: () => other + ca + other },
    { name: 'ours with other line ends', bundle: () => ca.replaceAll('\n', '\r\n') },
  ])('is none when the bundle holds $name', ({ bundle }) => {
    expect(bundlePatch(configuration({ ...toService, caBundle: base64(bundle()) }), ours, { ca })).toBeUndefined()
  })

  it('adds each CA of ours that is missing', () => {
    const found = configuration({ ...toService, caBundle: base64(ca) })
    const operations = bundlePatch(found, ours, { ca: ca + other }) ?? []
    expect(operations.at(-1)).toMatchObject({ value: base64(ca + other) })
  })

  it('is none for a configuration without webhooks', () => {
    expect(bundlePatch({ metadata: { name: 'tars' } }, ours, { ca })).toBeUndefined()
  })
})

describe('CAs of ours that others of ours have replaced (CT-4)', () => {
  const DAY = 86_400_000
  const aged = (days: number, name?: string) => issueAuthority(new Date(now.getTime() - days * DAY), name)
  const certs: Record<string, string> = {}
  beforeAll(async () => {
    for (const days of [0, 10, 29, 31, 100, 200]) certs[`ours${days}`] = (await aged(days)).cert
    certs.foreign = (await aged(1_000, 'CN=other')).cert
    certs.alike = (await aged(1_000, 'CN=tars-admission CA, O=other')).cert
  })
  const bundleOf = (names: string) =>
    names
      .split(' ')
      .map((name) => certs[name] ?? name)
      .join('')

  it.each([
    {
      name: 'the older leaves after the lifetime of a leaf',
      bundle: 'ours100 ours31',
      inForce: 'ours31',
      kept: 'ours31',
    },
    { name: 'the older stays for the lifetime of a leaf', bundle: 'ours100 ours29', inForce: 'ours29' },
    { name: 'only the newest two stay', bundle: 'ours100 ours10 ours0', inForce: 'ours0', kept: 'ours10 ours0' },
    {
      name: 'however many there are',
      bundle: 'ours10 ours200 ours0 ours100 ours31',
      inForce: 'ours0',
      kept: 'ours10 ours0',
    },
    {
      name: 'foreign ones stay, whatever their age',
      bundle: 'foreign ours100 alike ours31',
      inForce: 'ours31',
      kept: 'foreign alike ours31',
    },
    {
      name: 'also where the pair is of a foreign CA',
      bundle: 'ours100 foreign ours31',
      inForce: 'foreign',
      kept: 'foreign ours31',
    },
    {
      name: 'one in force that is missing comes as the others leave',
      bundle: 'ours200 ours100 foreign',
      inForce: 'ours31',
      kept: 'foreign ours31',
    },
    { name: 'one in force from a backup stays, and so does a newer one', bundle: 'ours100 ours31', inForce: 'ours100' },
    {
      name: 'one in force from a backup stays among newer ones',
      bundle: 'ours200 ours100 ours31',
      inForce: 'ours200',
      kept: 'ours200 ours31',
    },
    { name: 'one that stands there twice replaces nothing', bundle: 'ours31 ours31', inForce: 'ours31' },
    { name: 'what is no certificate hides nothing', bundle: 'junk ours100 ours31', inForce: 'ours31', kept: 'ours31' },
  ])('$name', ({ bundle, inForce, kept = bundle }) => {
    const found = configuration({ ...toService, caBundle: base64(bundleOf(bundle)) })
    const operations = bundlePatch(found, ours, { ca: bundleOf(inForce), now })
    const written = operations?.flatMap((operation) => (operation.op === 'add' ? [text(operation.value)] : []))
    expect(written).toEqual(kept === bundle ? undefined : [bundleOf(kept)])
  })
})
