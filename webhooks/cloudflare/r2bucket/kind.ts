import { cloudflareKind } from '../define.ts'
import { claimOfBucket } from './claim.ts'
import { R2_BUCKET } from './schema.ts'
import { rules } from './validate.ts'

export const r2Bucket = cloudflareKind({
  resource: R2_BUCKET,
  description: 'A bucket of an account at Cloudflare.',
  shortNames: ['cfr2', 'r2bucket'],
  id: 'bucketName',
  claims: { own: { resource: R2_BUCKET, claim: claimOfBucket } },
  rules,
})
