import { describe, expect, it } from 'vitest'
import { storedOf } from '../../../../src/cluster/memory/memory-store.ts'
import { type Built, type Gvr, Refused } from '../../../../src/cluster/port.ts'
import { GADGET } from '../../../support/builders/gadget.ts'
import { aGadget } from '../../../support/builders/gadgets.ts'
import { client, clock, errorOf, faultOf, GADGETS, REF, server } from './client-on-script.ts'

const NODE: Gvr = { group: '', version: 'v1', plural: 'nodes', kind: 'Node', scope: 'Cluster' }

describe('writes', () => {
  const stored = storedOf(aStored())
  const operations = [{ op: 'add', path: '/metadata/labels/app', value: 'echo' }] as const

  it.each([
    {
      name: 'create',
      write: () => client.create(GADGET, stored),
      sent: { method: 'POST', path: GADGETS, body: JSON.stringify(stored) },
    },
    {
      name: 'replace',
      write: () => client.replace(GADGET, stored),
      sent: { method: 'PUT', path: `${GADGETS}/g`, body: JSON.stringify(stored) },
    },
    {
      name: 'patch',
      write: () => client.patch(GADGET, REF, operations),
      sent: {
        method: 'PATCH',
        path: `${GADGETS}/g`,
        body: JSON.stringify(operations),
        headers: { 'content-type': 'application/json-patch+json' },
      },
    },
    {
      name: 'patch of a core kind of cluster scope',
      write: () => client.patch(NODE, { namespace: '', name: 'n' }, operations),
      sent: { method: 'PATCH', path: '/api/v1/nodes/n' },
    },
  ])('$name gives what the API server made of it', async ({ write, sent }) => {
    const written = write()
    const call = await server.next()
    expect(call).toMatchObject(sent)
    call.json(200, { ...stored, unknown: 'field' })
    expect(await written).toEqual({ ...stored, unknown: 'field' })
  })

  it.each([
    { by: 'create', sent: { method: 'POST', path: GADGETS, query: { dryRun: 'All' } } },
    {
      by: 'apply',
      sent: {
        method: 'PATCH',
        path: `${GADGETS}/g`,
        query: { dryRun: 'All', fieldManager: 'tars-controller', force: 'true' },
        headers: { 'content-type': 'application/apply-patch+yaml' },
      },
    },
  ] as const)('a dry run of $by stores nothing', async ({ by, sent }) => {
    const tried = client.dryRun(GADGET, stored, by)
    const call = await server.next()
    expect(call).toMatchObject({ ...sent, body: JSON.stringify(stored) })
    call.json(200, { ...stored, unknown: 'field' })
    expect(await tried).toEqual({ ...stored, unknown: 'field' })
  })

  it('a dry run waits no longer than other webhooks may take', async () => {
    const fault = faultOf(client.dryRun(GADGET, stored, 'create'))
    await server.next()
    clock.advance(5_000)
    const message = `cannot dry-run create gadgets.test.tars.io demo/g: no answer from the API server at ${server.url}`
    expect((await fault).message).toContain(message)
  })

  it('remove deletes the object and nothing else', async () => {
    const removed = client.remove(GADGET, REF)
    const call = await server.next()
    expect(call).toMatchObject({ method: 'DELETE', path: `${GADGETS}/g` })
    expect(JSON.parse(call.body)).toEqual({ apiVersion: 'v1', kind: 'DeleteOptions' })
    call.status(200, '')
    expect(await removed).toBeUndefined()
  })

  it('remove sends its options', async () => {
    const options = { preconditions: { uid: 'u' }, propagationPolicy: 'Orphan' } as const
    const removed = client.remove(GADGET, REF, options)
    const call = await server.next()
    expect(JSON.parse(call.body)).toEqual({ apiVersion: 'v1', kind: 'DeleteOptions', ...options })
    call.status(200, '')
    await removed
  })

  it('remove does not take a whole collection for want of a name', async () => {
    expect(await faultOf(client.remove(GADGET, { namespace: 'demo', name: '' }))).toMatchObject({ code: 'GONE' })
    expect(server.connections).toBe(0)
  })

  it('replace does not overwrite what it has not seen', async () => {
    const blind = client.replace(GADGET, storedOf(aGadget()))
    await expect(blind).rejects.toMatchObject({ status: { code: 422, details: { causes: [{ field: VERSION }] } } })
    expect(server.connections).toBe(0)
  })
  const VERSION = 'metadata.resourceVersion'

  const uid = { details: { causes: [{ reason: 'FieldValueInvalid', message: 'immutable', field: 'metadata.uid' }] } }
  it.each([
    { name: 'another version is stored', status: 409, reason: 'Conflict', code: 'CONFLICT', retry: true },
    { name: 'the object is gone', status: 404, reason: 'NotFound', code: 'GONE', retry: false },
    { name: 'another object stands there', status: 422, reason: 'Invalid', more: uid, code: 'GONE', retry: false },
    { name: 'there are too many', status: 429, reason: 'TooManyRequests', code: 'CLUSTER_UNREACHABLE', retry: true },
    { name: 'the API server fails', status: 500, reason: 'InternalError', code: 'CLUSTER_UNREACHABLE', retry: true },
  ])('are a fault $code when $name', async ({ status, reason, more, code, retry }) => {
    server.always((call) => call.status(status, reason, more))
    const fault = await faultOf(client.replace(GADGET, stored))
    expect(fault).toMatchObject({ code, retry })
    expect(fault.message).toContain('cannot replace gadgets.test.tars.io demo/g')
  })

  it.each([
    { name: 'exists already', status: 409, reason: 'AlreadyExists' },
    { name: 'is invalid', status: 422, reason: 'Invalid' },
    { name: 'was denied by a webhook', status: 403, reason: 'Forbidden' },
    { name: 'is too large', status: 413, reason: 'RequestEntityTooLarge' },
  ])('are refused in the words of the API server when what is written $name', async ({ status, reason }) => {
    const details = { kind: 'gadgets', causes: [{ reason: 'X', message: 'why', field: 'spec' }] }
    server.always((call) => call.status(status, reason, { message: 'in words', details }))
    const refused = await errorOf(client.create(GADGET, stored))
    expect(refused).toBeInstanceOf(Refused)
    expect(refused).toMatchObject({ status: { code: status, reason, message: 'in words', details } })
  })

  it('are not sent twice when the answer is lost', async () => {
    const fault = faultOf(client.create(GADGET, stored))
    const call = await server.next()
    call.reset()
    expect(await fault).toMatchObject({ code: 'CLUSTER_UNREACHABLE' })
  })
})

function aStored(): Built {
  const gadget = aGadget()
  return { ...gadget, metadata: { ...gadget.metadata, resourceVersion: '7' } }
}
