import { describe, expect, it } from 'vitest'
import type { Tree } from '../../../src/schema.ts'
import { DNS_RECORD } from '../../../webhooks/cloudflare/dnsrecord/schema.ts'
import { aCloudflare } from '../../support/builders/cloudflare.ts'
import { cloudflareWorld } from '../../support/cloudflare-world.ts'

const A = { namespace: 'demo', name: 'a' }
const MARK = '[managed-by:DNSRecord/demo/a]'
const name = 'api.example.com'
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

  it('keeps its id when it becomes another type', async () => {
    await using world = await cloudflareWorld(aCloudflare('DNSRecord'))
    await world.settled()
    const [before] = world.zone.records.values()
    await world.cluster.merge(DNS_RECORD, A, { spec: { type: 'A', content: '192.0.2.1' } })
    await world.settled()
    expect([...world.zone.records.values()]).toMatchObject([{ id: before?.id, type: 'A', content: '192.0.2.1' }])
  })
})

describe('CF-OWN-06 a comment that is too long for the plan of its zone', () => {
  const LONG = 'x'.repeat(400)
  const long = (at: string) => aCloudflare('DNSRecord', { name: `${at}.example.com`, comment: LONG }, { name: at })
  const commentsOf = (world: Awaited<ReturnType<typeof cloudflareWorld>>) =>
    [...world.zone.records.values()].map(({ comment }) => comment?.length)
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
