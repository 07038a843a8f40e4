import { readFileSync } from 'node:fs'
import type { Operation as PatchOperation } from 'fast-json-patch'
import fastJsonPatch from 'fast-json-patch'
import { describe, expect, it } from 'vitest'
import { lastApplied } from '../../../../src/cluster/memory/client-side-apply.ts'
import { defaulted } from '../../../../src/cluster/memory/structural-schema.ts'
import { isStored } from '../../../../src/cluster/stored.ts'
import type { Tree } from '../../../../src/schema.ts'
import { TSERVER } from '../../../../webhooks/tars/tserver/schema.ts'
import { GADGET } from '../../../support/builders/gadget.ts'
import { aGadget } from '../../../support/builders/gadgets.ts'
import { clusterAsking, NOW } from '../../../support/clusters.ts'
import { type Answers, AT, webhooks } from './scripted-webhooks.ts'

const patching = (...operations: readonly PatchOperation[]): Answers => ({
  mutate: { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') },
})

describe('a review is the one that a real API server sent', () => {
  const STEPS = [
    '01-tserver-create',
    '02-tserver-create-dryrun',
    '04-tserver-update-json-patch',
    '12-tserver-delete-with-finalizer',
    '14-tserver-client-apply-create',
    '15-tserver-client-apply-update',
    '16-tserver-delete',
    '21-tserver-generatename',
  ]

  it.each(STEPS)('%s', async (step) => {
    const sent = requestOf(step)
    const { admit, requested } = webhooks()
    const cluster = clusterAsking(admit, ...[sent.oldObject].filter(isStored))
    const { username: user, groups } = sent.userInfo
    const { fieldManager, fieldValidation } = sent.options
    const options = { user, groups, dryRun: sent.dryRun, fieldManager, fieldValidation }
    const { namespace, name = '' } = sent
    if (sent.operation === 'DELETE') await cluster.remove(TSERVER, { namespace, name }, options)
    else if (fieldManager === 'kubectl-client-side-apply')
      await cluster.applyOnClient(TSERVER, lastApplied(sent.object), options)
    else if (sent.operation === 'CREATE') await cluster.create(TSERVER, sent.object, options).catch(refusedLater)
    else await cluster.patch(TSERVER, { namespace, name }, fastJsonPatch.compare(sent.oldObject, sent.object), options)
    expect(requested[0]?.request).toEqual({ ...sent, uid: expect.any(String) })
  })

  /** Two were sent under names that our definition does not take. */
  const refusedLater = (error: unknown) => expect(error).toHaveProperty('message', expect.stringContaining('(TS-V6)'))

  /** With what our schema adds, and without what is not kept in memory: who wrote which field, how a user proved who he is, when dependents go. */
  function requestOf(step: string) {
    const { request } = JSON.parse(readFileSync(`test/fixtures/reviews/${step}.mutate.json`, 'utf8'))
    for (const object of [request.object, request.oldObject]) delete object?.metadata.managedFields
    for (const field of ['object', 'oldObject']) request[field] = defaulted(request[field], TSERVER.schema)
    delete request.userInfo.extra
    delete request.options.propagationPolicy
    return request
  }
})

describe('webhooks are asked', () => {
  it('on a create first without, then with what the API server adds', async () => {
    const { admit, requested } = webhooks()
    await clusterAsking(admit).create(GADGET, { ...aGadget(), metadata: { namespace: 'demo', generateName: 'g-' } })
    const [mutate, validate] = requested.map(({ request }) => request)
    expect(mutate).not.toHaveProperty('name')
    expect(mutate?.object?.metadata).toEqual({ namespace: 'demo', generateName: 'g-' })
    const made = { uid: expect.any(String), name: 'g-00002', creationTimestamp: NOW, generation: 1 }
    expect(validate).toMatchObject({ name: 'g-00002', object: { metadata: made } })
    expect(validate?.uid).not.toBe(mutate?.uid)
  })

  it('about an object whose defaults are in place', async () => {
    const { admit, object } = webhooks()
    await clusterAsking(admit).create(GADGET, aGadget())
    expect(object('mutate')).toMatchObject({ spec: { color: 'red', count: 3 }, grade: 1 })
  })

  it.each([
    { title: 'what cannot be read', spec: { foo: 1 }, phases: [] },
    { title: 'what the schema refuses', spec: { count: 99 }, phases: ['mutate'] },
    { title: 'what the definition refuses in CEL', spec: { maker: 'Ann' }, phases: ['mutate'] },
  ])('not to validate $title', async ({ spec, phases }) => {
    const { admit, phases: requested } = webhooks()
    const object = { ...aGadget(), spec: { title: 'a gadget', ...spec } }
    await expect(clusterAsking(admit).create(GADGET, object, { fieldValidation: 'Strict' })).rejects.toThrow()
    expect(requested()).toEqual(phases)
  })

  it('to mutate about the status that was sent, to validate about the one that stays', async () => {
    const { admit, object } = webhooks()
    await clusterAsking(admit).create(GADGET, { ...aGadget(), status: { phase: 'New' } })
    expect(object('mutate')).toHaveProperty('status.phase', 'New')
    expect(object('validate')).not.toHaveProperty('status')
  })

  it('about a removal, in both phases', async () => {
    const { admit, requested } = webhooks()
    await clusterAsking(admit, aGadget()).remove(GADGET, AT)
    expect(requested).toMatchObject([
      { phase: 'mutate', request: { operation: 'DELETE', object: null, oldObject: { metadata: AT } } },
      { phase: 'validate', request: { operation: 'DELETE', object: null, oldObject: { metadata: AT } } },
    ])
  })

  it('and may do with what they are sent as they like', async () => {
    const cluster = clusterAsking(async (_phase, { request }) => {
      Object.assign(request.oldObject?.metadata ?? {}, { labels: { mine: 'now' } })
      return []
    }, aGadget())
    await cluster.patch(GADGET, AT, [{ op: 'add', path: '/spec/count', value: 5 }])
    expect((await cluster.get(GADGET, AT))?.metadata).not.toHaveProperty('labels')
  })
})

describe('a patch of a webhook', () => {
  const create = (answers: Answers) => {
    const { admit, object } = webhooks(answers)
    const cluster = clusterAsking(admit)
    return { created: cluster.create(GADGET, aGadget()), object }
  }

  it('gets its defaults', async () => {
    const { created, object } = create(patching({ op: 'add', path: '/spec/parts', value: [{ name: 'x' }] }))
    expect(await created).toMatchObject({ spec: { parts: [{ name: 'x', weight: 1 }] } })
    expect(object('validate')).toMatchObject({ spec: { parts: [{ name: 'x', weight: 1 }] } })
  })

  it('may set unknown fields: who validates sees them, but they are not stored', async () => {
    const { created, object } = create(patching({ op: 'add', path: '/spec/foo', value: 1 }))
    expect(object('validate')).toBeUndefined()
    expect((await created).spec).not.toHaveProperty('foo')
    expect(object('validate')).toMatchObject({ spec: { foo: 1 } })
  })

  it('may rename what is created', async () => {
    expect((await create(patching({ op: 'add', path: '/metadata/name', value: 'h' })).created).metadata.name).toBe('h')
  })

  it('is refused by the schema without a word of the webhook', async () => {
    const { created } = create(patching({ op: 'add', path: '/spec/owner', value: null }))
    await expect(created).rejects.toThrow('Gadget.test.tars.io "g" is invalid: [spec.owner: Invalid value: "null"')
  })

  it.each([
    { title: 'removes what is not there', patch: patching({ op: 'remove', path: '/spec/owner' }) },
    { title: 'has no place', patch: patching({ op: 'add', path: '/metadata/labels/a', value: 'b' }) },
    {
      title: 'leaves a label that is no text',
      patch: patching({ op: 'add', path: '/metadata/labels', value: { a: 1 } }),
    },
    { title: 'is no patch', patch: { mutate: { patchType: 'JSONPatch', patch: 'bm9uZQ==' } } as const },
  ])('is a fault when it $title', async ({ patch }) => {
    await expect(create(patch).created).rejects.toMatchObject({ code: 'CLUSTER_REFUSED' })
  })

  it('is a fault on a removal', async () => {
    const { admit } = webhooks(patching({ op: 'add', path: '/spec/count', value: 5 }))
    await expect(clusterAsking(admit, aGadget()).remove(GADGET, AT)).rejects.toMatchObject({ code: 'CLUSTER_REFUSED' })
  })
})

describe('a denial', () => {
  const DENIED = 'admission webhook "validate.test" denied the request'
  const status = { code: 422, reason: 'Invalid', message: 'no good', details: { causes: [] } }

  it.each([
    { title: 'as it is', given: status, shown: { ...status, status: 'Failure', message: `${DENIED}: no good` } },
    { title: 'of a code that is none', given: { ...status, code: 200 }, shown: { code: 400 } },
    { title: 'by its reason', given: { ...status, message: '' }, shown: { message: `${DENIED}: Invalid` } },
    { title: 'without a status', given: undefined, shown: { code: 400, message: `${DENIED} without explanation` } },
  ])('is told $title', async ({ given, shown }) => {
    const { admit } = webhooks({ validate: { allowed: false, ...(given && { status: given }) } })
    const cluster = clusterAsking(admit)
    await expect(cluster.create(GADGET, aGadget())).rejects.toMatchObject({ status: shown })
    expect(await cluster.get(GADGET, AT)).toBeUndefined()
  })

  it('leaves everything as it was, whatever was asked', async () => {
    const { admit } = webhooks({ validate: { allowed: false } })
    const cluster = clusterAsking(admit, aGadget({ count: 1 }))
    await expect(cluster.patch(GADGET, AT, [{ op: 'add', path: '/spec/count', value: 2 }])).rejects.toThrow(DENIED)
    await expect(cluster.remove(GADGET, AT)).rejects.toThrow(DENIED)
    expect(await cluster.get(GADGET, AT)).toMatchObject({ spec: { count: 1 } })
  })
})

describe('warnings reach whoever wrote', () => {
  async function warningsOf(answers: Answers, spec: Tree = {}) {
    const shown: string[] = []
    const written = clusterAsking(webhooks(answers).admit).create(
      GADGET,
      { ...aGadget(), spec: { title: 'a gadget', ...spec } },
      { warn: (warning) => shown.push(warning) },
    )
    await Promise.allSettled([written])
    return shown
  }

  it('from both webhooks, in their order', async () => {
    expect(await warningsOf({ mutate: { warnings: ['one'] }, validate: { warnings: ['two', 'three'] } })).toEqual([
      'one',
      'two',
      'three',
    ])
  })

  it('from a webhook that denies', async () => {
    expect(await warningsOf({ mutate: { warnings: ['one'], allowed: false } })).toEqual(['one'])
  })

  it('from the API server, of unknown fields', async () => {
    expect(await warningsOf({}, { foo: 1, bar: 2 })).toEqual(['unknown field "spec.bar"', 'unknown field "spec.foo"'])
  })
})
