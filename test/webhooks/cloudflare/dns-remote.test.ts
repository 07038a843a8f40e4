import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../src/schema.ts'
import { DNS_RECORD } from '../../../webhooks/cloudflare/dnsrecord/schema.ts'
import { ANNOTATIONS } from '../../../webhooks/cloudflare/names.ts'
import { aCloudflare } from '../../support/builders/cloudflare.ts'
import { cloudflareWorld } from '../../support/cloudflare-world.ts'

const A = { namespace: 'demo', name: 'a' }
const MARK = '[managed-by:DNSRecord/demo/a]'
const name = 'api.example.com'
type World = Awaited<ReturnType<typeof cloudflareWorld>>
const withType = (type: string, spec: Tree) => aCloudflare('DNSRecord', { name, type, content: undefined, ...spec })

describe('CF-ONE-04 a record that Cloudflare writes in another way is not written again', () => {
  it.each<{ type: string; spec: Tree; there: Tree }>([
    { type: 'A', spec: { content: '192.0.2.1' }, there: { content: '192.0.2.1', ttl: 1 } },
    { type: 'AAAA', spec: { content: '2001:DB8:0::1' }, there: { content: '2001:db8::1', ttl: 1 } },
    { type: 'CNAME', spec: { content: 'B.example.net.' }, there: { content: 'b.example.net', ttl: 1 } },
    {
      type: 'MX',
      spec: { content: 'mx.example.net.', priority: 0 },
      there: { content: 'mx.example.net', priority: 0, ttl: 1 },
    },
    { type: 'TXT', spec: { content: 'v=spf1 -all' }, there: { content: '"v=spf1 -all"', ttl: 1 } },
    { type: 'TXT', spec: { content: '"ab" "c\\"d"' }, there: { content: '"abc\\"d"', ttl: 1 } },
    {
      type: 'CNAME',
      spec: { content: 'b.example.net', proxied: true, ttl: 300 },
      there: { content: 'b.example.net', proxied: true, ttl: 1 },
    },
    {
      type: 'CAA',
      spec: { data: { flags: 0, tag: 'issue', value: 'ca.example' } },
      there: { data: { value: 'ca.example', flags: 0, tag: 'issue' }, ttl: 1 },
    },
  ])('$type $spec', async ({ type, spec, there }) => {
    await using world = await cloudflareWorld(withType(type, spec))
    const { status } = await world.ask('POST', world.records, { name, type, comment: MARK, ...there })
    expect(status).toBe(200)
    expect(await world.settled()).toMatchObject({ calls: [] })
    expect(await world.ready(DNS_RECORD, A)).toBe('Synced')
  })
})

describe('CF-ONE-01 the record that is meant', () => {
  it.each<{ name: string; type: string; spec: Tree; others: Tree; calls: readonly string[] }>([
    {
      name: 'another text of the name',
      type: 'TXT',
      spec: { content: 'b' },
      others: { type: 'TXT', content: 'a' },
      calls: ['POST /dns_records'],
    },
    {
      name: 'another type of the name',
      type: 'TXT',
      spec: { content: 'b' },
      others: { type: 'A', content: '192.0.2.1' },
      calls: ['POST /dns_records'],
    },
    {
      name: 'AAAA beside A',
      type: 'AAAA',
      spec: { content: '2001:db8::1' },
      others: { type: 'A', content: '192.0.2.1' },
      calls: ['POST /dns_records'],
    },
    {
      name: 'A where a CNAME stands',
      type: 'A',
      spec: { content: '192.0.2.1' },
      others: { type: 'CNAME', content: 'b.example.net' },
      calls: [],
    },
    {
      name: 'CNAME where an A stands',
      type: 'CNAME',
      spec: { content: 'b.example.net' },
      others: { type: 'A', content: '192.0.2.1' },
      calls: [],
    },
    {
      name: 'the same text of somebody else',
      type: 'TXT',
      spec: { content: 'a' },
      others: { type: 'TXT', content: 'a' },
      calls: [],
    },
  ])('$name', async ({ type, spec, others, calls }) => {
    await using world = await cloudflareWorld(withType(type, spec))
    await world.ask('POST', world.records, { name, ...others })
    world.double.log.splice(0)
    expect(await world.settled()).toMatchObject({
      calls,
      reasons: [calls.length === 0 ? 'AdoptionConflict' : 'Created'],
    })
  })

  it('is none of two of somebody else: both are named, and none is picked', async () => {
    await using world = await cloudflareWorld(
      aCloudflare('DNSRecord', {}, { annotations: { 'cloudflare-operator.io/adoption-policy': 'IfExists' } }),
    )
    for (const content of ['192.0.2.1', '192.0.2.2'])
      await world.ask('POST', world.records, { name, type: 'A', content })
    expect(await world.settled()).toMatchObject({ reasons: ['AdoptionConflict'] })
    expect(await world.ready(DNS_RECORD, A)).toMatch(/2 candidates exist \(CNAME api.example.com, ids .*, .*\)/)
  })

  it('is sent without the fields of Cloudflare that we do not know (CF-CRD-03)', async () => {
    await using world = await cloudflareWorld(aCloudflare('DNSRecord'))
    await world.settled()
    await world.cluster.merge(DNS_RECORD, A, { spec: { content: 'c.example.net' } })
    await world.settled()
    const [update] = world.double.log.filter(({ method }) => method === 'PUT')
    expect(Object.keys(update?.body ?? {}).sort()).toEqual(['comment', 'content', 'name', 'proxied', 'ttl', 'type'])
  })

  it('keeps its id when it becomes another type', async () => {
    await using world = await cloudflareWorld(aCloudflare('DNSRecord'))
    await world.settled()
    const [before] = world.zone.records.values()
    await world.cluster.merge(DNS_RECORD, A, { spec: { type: 'A', content: '192.0.2.1' } })
    await world.settled()
    expect([...world.zone.records.values()]).toMatchObject([{ id: before?.id, type: 'A', content: '192.0.2.1' }])
  })
})

describe('CF-ONE-04 another type that Cloudflare does not take for a record', () => {
  async function refused(...faults: readonly Parameters<World['double']['faults']['plan']>[0][]) {
    const world = await cloudflareWorld(aCloudflare('DNSRecord'))
    await world.settled()
    await world.cluster.merge(DNS_RECORD, A, { spec: { type: 'A', content: '192.0.2.1' } })
    for (const fault of faults) world.double.faults.plan(fault)
    return { world, ...(await world.settled()) }
  }
  const PUT = { method: 'PUT', do: 'answer', status: 400, code: 1004 } as const
  const IN_ITS_PLACE = ['PUT', 'DELETE', 'POST'].map((method) => expect.stringMatching(`^${method} /dns_records`))

  it('is made in the place of that record, which goes before', async () => {
    const { world, calls, reasons } = await refused(PUT)
    await using _ = world
    expect({ calls, reasons }).toEqual({ calls: IN_ITS_PLACE, reasons: ['Updated'] })
    const [record, ...others] = world.zone.records.values()
    expect([record?.comment, others]).toEqual([MARK, []])
    expect(await world.cluster.get(DNS_RECORD, A)).toMatchObject({
      metadata: { annotations: { [ANNOTATIONS.remoteId]: record?.id } },
    })
    expect(await world.settled()).toEqual({ writes: [], calls: [], reasons: [] })
  })
  it('leaves that record, made once more, where it is refused again', async () => {
    const { world, calls } = await refused(PUT, { ...PUT, method: 'POST' })
    await using _ = world
    expect(calls).toEqual([...IN_ITS_PLACE, 'POST /dns_records'])
    expect([...world.zone.records.values()]).toMatchObject([{ type: 'CNAME', content: 'b.example.net', comment: MARK }])
    expect(await world.ready(DNS_RECORD, A)).toMatch(/^APIError: .*1004/)
  })
  it.each([
    { name: 'an outage deletes nothing', fault: { method: 'PUT', do: 'html' } },
    { name: 'nor does an outage of the new one bring back the old one', fault: { method: 'POST', do: 'html' } },
  ] as const)('$name', async ({ fault }) => {
    const { world } = await refused(...(fault.method === 'PUT' ? [fault] : [PUT, fault]))
    await using _ = world
    await world.settled({}, 10_000)
    expect([...world.zone.records.values()]).toMatchObject([{ type: 'A', comment: MARK }])
    expect(await world.ready(DNS_RECORD, A)).toBe('Synced')
  })
  it('is not made where the mark is not ours yet', async () => {
    const annotations = { [ANNOTATIONS.adoptionPolicy]: 'IfExists' }
    await using world = await cloudflareWorld(aCloudflare('DNSRecord', {}, { annotations }))
    await world.ask('POST', world.records, { name, type: 'A', content: '192.0.2.1' })
    world.double.faults.plan(PUT)
    expect(await world.settled()).toMatchObject({ reasons: ['UpdateFailed'] })
    expect([...world.zone.records.values()]).toMatchObject([{ type: 'A', comment: null }])
  })
})

describe('CF-OWN-17 what other tools write to tell their owner', () => {
  const OTHERS = [
    { name: '_managed.api.example.com', type: 'TXT', content: '{"DnsId":"1","TunnelName":"main","TunnelId":"2"}' },
    { name: 'cname-api.example.com', type: 'TXT', content: '"heritage=external-dns,external-dns/owner=default"' },
    { name: 'api.example.com', type: 'TXT', content: '"heritage=external-dns,external-dns/owner=default"' },
  ]
  it('stays as it is, from the first pass to the last, and no TXT of ours stands beside it', async () => {
    await using world = await cloudflareWorld(aCloudflare('DNSRecord'))
    for (const other of OTHERS) await world.ask('POST', world.records, other)
    const before = world.double.state.digest()
    expect(await world.settled()).toMatchObject({ calls: ['POST /dns_records'] })
    expect([...world.zone.records.values()].map(({ type }) => type)).toEqual(['TXT', 'TXT', 'TXT', 'CNAME'])
    await world.cluster.remove(DNS_RECORD, A)
    await world.settled()
    expect(world.double.state.digest()).toBe(before)
  })
  it('makes a record that they name no less unmarked', async () => {
    await using world = await cloudflareWorld(aCloudflare('DNSRecord'))
    for (const other of [...OTHERS, { name, type: 'CNAME', content: 'b.example.net' }])
      await world.ask('POST', world.records, other)
    const before = world.double.state.digest()
    expect(await world.settled()).toMatchObject({ reasons: ['AdoptionConflict'] })
    expect(world.double.state.digest()).toBe(before)
  })
})

describe('CF-OWN-06 a comment that is too long for the plan of its zone', () => {
  const LONG = 'x'.repeat(400)
  const long = (at: string) => aCloudflare('DNSRecord', { name: `${at}.example.com`, comment: LONG }, { name: at })
  const commentsOf = (world: World) => [...world.zone.records.values()].map(({ comment }) => comment?.length)
  const PAID = { cloudflareDnsCommentLimit: 500 }

  it('is shortened to what the refusal says, which counts for the zone', async () => {
    await using world = await cloudflareWorld(long('a'))
    expect(await world.settled(PAID, 5_000)).toMatchObject({
      calls: ['POST /dns_records', 'POST /dns_records'],
      reasons: ['CreateFailed', 'Created', 'CommentTruncated'],
    })
    expect(commentsOf(world)).toEqual([100])
    expect(await world.ready(DNS_RECORD, A)).toBe('Synced')
  })
  it.each([
    { name: 'without a number', message: 'too long', length: 100 },
    { name: 'with one that is none of a limit', message: 'at most 7 of 12 characters', length: 100 },
    { name: 'with another one', message: 'at most 200 characters', length: 200 },
  ])('is shortened where the refusal is $name', async ({ message, length }) => {
    const spec = { name: 'a.example.org', comment: LONG }
    await using world = await cloudflareWorld(aCloudflare('DNSRecord', spec))
    world.double.faults.plan({ method: 'POST', do: 'answer', status: 400, code: 9313, message })
    await world.settled(PAID, 5_000)
    expect([...world.paid.records.values()].map(({ comment }) => comment?.length)).toEqual([length])
  })
  it('is as long as the author wrote it in a paid zone', async () => {
    await using world = await cloudflareWorld(aCloudflare('DNSRecord', { name: 'a.example.org', comment: LONG }))
    await world.settled(PAID)
    expect([...world.paid.records.values()].map(({ comment }) => comment)).toEqual([`${MARK} ${LONG}`])
  })
})
