import { object, type Shape, text } from '../../kit/schema.ts'
import type { RemoteTable } from '../engine/table.ts'
import { claimOfBucket } from './claim.ts'
import { R2_BUCKET, type R2Bucket } from './schema.ts'
import { rules } from './validate.ts'

const bucket = object(
  { name: text({ doc: 'Name, which is its id.' }) },
  { location: text({ doc: 'Location.' }), creation_date: text({ doc: 'Creation.' }) },
)
const nameOf = ({ metadata, spec }: R2Bucket) => spec?.name || metadata.name

/** A bucket has no field for a mark: its recorded name is all that tells the owner. */
export const r2BucketRemote: RemoteTable<R2Bucket, Shape<typeof bucket>> = {
  resource: R2_BUCKET,
  noun: 'bucket',
  finalizer: 'cloudflare.com/r2-bucket-finalizer',
  claim: claimOfBucket,
  details: ({ spec }) => ({ credentialsRef: spec?.credentialsRef }),
  rules,
  paths: { collection: '/accounts/{account}/r2/buckets', object: '/accounts/{account}/r2/buckets/{id}' },
  answer: bucket,
  remoteOf: ({ name, location = '', creation_date: createdAt = '' }) => ({
    ...{ id: name, text: '', fields: { name }, createdAt },
    ...{ told: { location, createdAt } },
  }),
  codes: { exists: [10004], gone: [10006], busy: [10008] },
  /** Its name cannot change, so a recorded id that is another name is that of another bucket. */
  isMeant: (object, { id }) => id === nameOf(object),
  find: (object) => ({ id: nameOf(object) }),
  wanted: (object) => ({ name: nameOf(object) }),
  created: (object) => ({
    name: nameOf(object),
    ...(object.spec?.locationHint && { locationHint: object.spec.locationHint }),
  }),
  status: {
    id: 'bucketName',
    states: { ready: 'Ready', pending: 'Pending', error: 'Error', deleting: 'Deleting' },
    of: ({ told = {} }) => told,
  },
  deletionPolicy: ({ spec }) => spec?.deletionPolicy,
  keepsAdopted: true,
}
