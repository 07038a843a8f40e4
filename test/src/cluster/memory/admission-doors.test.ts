import type { Operation as PatchOperation } from 'fast-json-patch'
import { describe, expect, it } from 'vitest'
import type { Door } from '../../../../src/admission/door.ts'
import type { SentReview } from '../../../../src/cluster/memory/admission.ts'
import { registeredWebhooks } from '../../../../src/cluster/memory/registered-webhooks.ts'
import { TTEMPLATE } from '../../../../webhooks/tars/ttemplate/schema.ts'
import { CTRL, WEBHOOK } from '../../../support/answerer-parts.ts'
import { GADGET } from '../../../support/builders/gadget.ts'
import { aGadget, aKind } from '../../../support/builders/gadgets.ts'
import { aTTemplate } from '../../../support/builders/templates.ts'
import { admittingCluster, clusterAsking } from '../../../support/clusters.ts'
import { AT, webhooks } from './scripted-webhooks.ts'

describe('while webhooks are asked, somebody else', () => {
  const five: readonly PatchOperation[] = [{ op: 'add', path: '/spec/count', value: 5 }]

  /** The other one does his deed once, while the first webhook thinks. */
  function contested(deed: (cluster: ReturnType<typeof clusterAsking>) => Promise<unknown>) {
    let done = false
    const { admit, phases } = webhooks({}, async () => {
      if (done) return
      done = true
      await deed(cluster)
    })
    const cluster = clusterAsking(admit, aGadget())
    return { cluster, phases }
  }
  const relabel = (cluster: ReturnType<typeof clusterAsking>) =>
    cluster.patch(GADGET, AT, [{ op: 'add', path: '/metadata/labels', value: { theirs: '' } }])

  it('may write: a patch is applied to what he wrote', async () => {
    const { cluster } = contested(relabel)
    await cluster.patch(GADGET, AT, five)
    expect(await cluster.get(GADGET, AT)).toMatchObject({ metadata: { labels: { theirs: '' } }, spec: { count: 5 } })
  })

  it('may write: a removal is judged by what he wrote', async () => {
    const { cluster, phases } = contested(relabel)
    await cluster.remove(GADGET, AT)
    expect(phases()).toHaveLength(6)
    expect(await cluster.get(GADGET, AT)).toBeUndefined()
  })

  it('may remove: then there is nothing to patch', async () => {
    const { cluster } = contested((them) => them.remove(GADGET, AT))
    await expect(cluster.patch(GADGET, AT, five)).rejects.toMatchObject({ code: 'GONE' })
  })

  it('may create: the name is taken then', async () => {
    const { cluster } = contested((them) => them.create(GADGET, { ...aGadget(), metadata: { ...AT, name: 'h' } }))
    const ours = cluster.create(GADGET, { ...aGadget(), metadata: { ...AT, name: 'h' } })
    await expect(ours).rejects.toMatchObject({ status: { code: 409, reason: 'AlreadyExists' } })
  })
})

describe('with the webhooks of this repository', () => {
  it('refuses to remove what is in use', async () => {
    const cluster = admittingCluster(aTTemplate(), aTTemplate({ name: 'child', parent: 'base' }))
    await expect(cluster.remove(TTEMPLATE, { namespace: 'demo', name: 'base' })).rejects.toMatchObject({
      status: { code: 403, reason: 'Forbidden', details: { causes: [{ field: 'metadata.name' }] } },
    })
    await cluster.remove(TTEMPLATE, { namespace: 'demo', name: 'child' })
    await cluster.remove(TTEMPLATE, { namespace: 'demo', name: 'base' })
  })

  it('knows users by their name', async () => {
    const cluster = admittingCluster(aTTemplate(), aTTemplate({ name: 'child', parent: 'base' }))
    const user = 'system:serviceaccount:kube-system:namespace-controller'
    await cluster.remove(TTEMPLATE, { namespace: 'demo', name: 'base' }, { user })
    expect(await cluster.get(TTEMPLATE, { namespace: 'demo', name: 'base' })).toBeUndefined()
  })

  it('asks no webhook where none is registered', async () => {
    await expect(admittingCluster().create(GADGET, aGadget())).resolves.toBeDefined()
  })
})

describe('a door that our own writes do not come to (SV-13)', () => {
  const { group, version, kind, plural } = GADGET
  const reviewBy = (username: string): SentReview => {
    const [of, resource] = [
      { group, version, kind },
      { group, version, resource: plural },
    ]
    const request = { uid: 'u', kind: of, resource, requestKind: of, requestResource: resource, dryRun: false }
    const user = { userInfo: { username, groups: [] }, operation: 'CREATE', options: {} } as const
    return {
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      request: { ...request, ...user, object: aGadget(), oldObject: null },
    }
  }
  const doors = aKind().doors
  const apart = doors.map((door): Door => ({ ...door, exceptOurselves: true }))
  const guarding = doors.map((door): Door => ({ ...door, exceptController: true }))

  it.each([
    { name: 'lets others in', among: apart, user: 'ann', requested: true },
    { name: 'not ourselves', among: apart, user: WEBHOOK, requested: false },
    { name: 'not the controller', among: guarding, user: CTRL, requested: false },
    {
      name: 'but ourselves where it is not our own writes that are left out',
      among: guarding,
      user: WEBHOOK,
      requested: true,
    },
    { name: 'and every other door lets us in too', among: doors, user: WEBHOOK, requested: true },
  ])('$name', async ({ among, user, requested }) => {
    const call = async () => ({ uid: 'u', allowed: true })
    const admit = registeredWebhooks([aKind({ doors: among })], call, WEBHOOK)
    expect((await admit('mutate', reviewBy(user))).length > 0).toBe(requested)
    expect((await admit('validate', reviewBy(user))).length > 0).toBe(requested)
  })
})

describe('a door for some objects and places alone', () => {
  const objectSelector = {
    matchExpressions: [
      { key: 'one', operator: 'Exists' },
      { key: 'two', operator: 'Exists' },
    ],
  } as const
  const [door] = aKind().doors

  /** The operations that the door was asked about. */
  function asking(wishes: Partial<Door>) {
    const requested: string[] = []
    const doors = door === undefined ? [] : [{ ...door, ...wishes }]
    const call = async (_: Door, { request }: SentReview) => {
      requested.push(request.operation)
      return { uid: request.uid, allowed: true }
    }
    const cluster = clusterAsking(registeredWebhooks([aKind({ doors })], call, WEBHOOK))
    return { requested, cluster }
  }
  const labelled = (labels: Readonly<Record<string, string>>, namespace = 'demo') => ({
    ...aGadget(),
    metadata: { name: 'g', namespace, labels },
  })

  it('is asked of objects that have the labels, whatever they say, or had them', async () => {
    const { requested, cluster } = asking({ objectSelector })
    await cluster.create(GADGET, labelled({ one: '1' }))
    expect(requested).toEqual([])
    await cluster.merge(GADGET, AT, { metadata: { labels: { two: '' } } })
    await cluster.merge(GADGET, AT, { metadata: { labels: { two: null } } })
    expect(requested).toEqual(['UPDATE', 'UPDATE'])
    await cluster.merge(GADGET, AT, { spec: { count: 5 } })
    await cluster.remove(GADGET, AT)
    expect(requested).toHaveLength(2)
  })

  it('is asked in the namespaces that it selects by name', async () => {
    const key = 'kubernetes.io/metadata.name'
    const namespaceSelector = { matchExpressions: [{ key, operator: 'NotIn', values: ['quiet'] }] } as const
    const { requested, cluster } = asking({ namespaceSelector })
    await cluster.create(GADGET, labelled({}, 'quiet'))
    expect(requested).toEqual([])
    await cluster.create(GADGET, labelled({}))
    expect(requested).toEqual(['CREATE'])
  })

  it('is not asked where the system runs, or we do (SV-13)', async () => {
    const { requested, cluster } = asking({ exceptNamespaces: ['kube-system'] })
    for (const namespace of ['kube-system', 'tars-system']) await cluster.create(GADGET, labelled({}, namespace))
    expect(requested).toEqual([])
    await cluster.create(GADGET, labelled({}))
    expect(requested).toEqual(['CREATE'])
  })
})
