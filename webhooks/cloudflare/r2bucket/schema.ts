import { anyObject, choice, type KubeObject, list, object, resource, type Shape, text } from '../../kit/schema.ts'
import { reference, statusOf, textsOfStatus } from '../fields.ts'
import { cloudflareResource } from '../names.ts'

const LOCATIONS = ['apac', 'eeur', 'enam', 'weur', 'wnam', 'oc'] as const

const bucket = object(
  {},
  {
    spec: object(
      {},
      {
        name: text({
          doc: 'Its name; that of the object when absent.',
          maxLength: 63,
          pattern: '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$',
        }),
        locationHint: choice(LOCATIONS, { doc: 'Where it lies.' }),
        cors: list(anyObject({ doc: 'Rule.' }), { doc: 'Kept; set by hand.', maxItems: 100 }),
        lifecycle: list(anyObject({ doc: 'Rule.' }), { doc: 'Kept; set by hand.', maxItems: 1_000 }),
        credentialsRef: reference('The CloudflareCredentials; the default one when absent.'),
        deletionPolicy: choice(['Delete', 'Orphan'], { doc: 'What becomes of the bucket.', default: 'Delete' }),
      },
      'A bucket.',
    ),
    status: statusOf(textsOfStatus('bucketName', 'location', 'createdAt', 'message')),
  },
)
export type R2Bucket = KubeObject & Shape<typeof bucket>
export const R2_BUCKET = resource(cloudflareResource('R2Bucket', 'r2buckets'), bucket)
