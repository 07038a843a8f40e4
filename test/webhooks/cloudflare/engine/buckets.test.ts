import { describe, expect, it } from 'vitest'
import { ANNOTATIONS } from '../../../../webhooks/cloudflare/names.ts'
import { R2_BUCKET } from '../../../../webhooks/cloudflare/r2bucket/schema.ts'
import { aCloudflare } from '../../../support/builders/cloudflare.ts'
import { cloudflareWorld } from '../../../support/cloudflare-world.ts'

const A = { namespace: 'demo', name: 'a' }
const BUCKET = { name: 'assets' }

describe('CF-OWN-08 a bucket that somebody else makes after a creation was refused', () => {
  it('is not ours', async () => {
    await using world = await cloudflareWorld(aCloudflare('R2Bucket', BUCKET))
    world.double.faults.plan({ method: 'POST', do: 'answer', status: 400, code: 1004 })
    await world.settled()
    await world.ask('POST', `/accounts/${world.account.id}/r2/buckets`, BUCKET)
    await world.settled()
    expect(await world.ready(R2_BUCKET, A)).toMatch(/^AdoptionConflict/)
  })
})

describe('CF-OWN-13 a bucket', () => {
  it('that is not empty stays, and says so', async () => {
    await using world = await cloudflareWorld(aCloudflare('R2Bucket', BUCKET))
    await world.settled()
    for (const bucket of world.account.buckets.values()) bucket.objects = 1
    await world.cluster.remove(R2_BUCKET, A)
    expect(await world.settled()).toMatchObject({ reasons: ['DeleteFailed'] })
    expect(await world.ready(R2_BUCKET, A)).toMatch(/^APIError: .*not empty/)
    expect(await world.cluster.get(R2_BUCKET, A)).toMatchObject({ status: { state: 'Deleting' } })
  })
  it.each([
    { name: 'stays', more: {}, left: 1 },
    { name: 'goes where an annotation says so', more: { [ANNOTATIONS.deleteAdopted]: 'true' }, left: 0 },
  ])('that was adopted $name', async ({ more, left }) => {
    const annotations = { [ANNOTATIONS.adoptionPolicy]: 'IfExists', ...more }
    await using world = await cloudflareWorld(aCloudflare('R2Bucket', BUCKET, { annotations }))
    await world.ask('POST', `/accounts/${world.account.id}/r2/buckets`, BUCKET)
    await world.settled()
    await world.cluster.remove(R2_BUCKET, A)
    await world.settled()
    expect(world.account.buckets.size).toBe(left)
    expect(await world.cluster.get(R2_BUCKET, A)).toBeUndefined()
  })
  it('whose name an author wrote down as his own stays, too (CF-OWN-08)', async () => {
    const annotations = { [ANNOTATIONS.remoteId]: 'assets' }
    await using world = await cloudflareWorld(aCloudflare('R2Bucket', BUCKET, { annotations }))
    await world.ask('POST', `/accounts/${world.account.id}/r2/buckets`, BUCKET)
    await world.settled()
    expect(await world.cluster.get(R2_BUCKET, A)).toMatchObject({
      metadata: { annotations: { [ANNOTATIONS.remoteOrigin]: 'adopted' } },
    })
    await world.cluster.remove(R2_BUCKET, A)
    await world.settled()
    expect(world.account.buckets.size).toBe(1)
  })
  it('stays where its field says so', async () => {
    await using world = await cloudflareWorld(aCloudflare('R2Bucket', { ...BUCKET, deletionPolicy: 'Orphan' }))
    await world.settled()
    await world.cluster.remove(R2_BUCKET, A)
    await world.settled()
    expect(world.account.buckets.size).toBe(1)
  })
  it('of another name than its own is never touched, whatever id an author wrote down', async () => {
    const annotations = { [ANNOTATIONS.remoteId]: 'elsewhere' }
    await using world = await cloudflareWorld(aCloudflare('R2Bucket', BUCKET, { annotations }))
    await world.ask('POST', `/accounts/${world.account.id}/r2/buckets`, { name: 'elsewhere' })
    await world.settled()
    expect([...world.account.buckets.keys()]).toEqual(['elsewhere', 'assets'])
    await world.cluster.remove(R2_BUCKET, A)
    await world.settled()
    expect([...world.account.buckets.keys()]).toEqual(['elsewhere'])
  })
})
