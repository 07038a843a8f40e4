import { defineKind } from '../../kit/admission.ts'
import { MUTATING } from '../doors.ts'
import { TFRAMEWORKCONFIG } from '../tframeworkconfig/schema.ts'
import { mutations } from './mutate.ts'
import { TIMAGE } from './schema.ts'

export const timage = defineKind({
  resource: TIMAGE,
  definition: {
    description: 'The releases of an image; labels say which servers they are for.',
    writers: 'authors',
    shortNames: ['ti'],
    columns: [{ name: 'Type', type: 'string', path: '.imageType' }],
  },
  doors: [MUTATING],
  reads: [{ resource: TFRAMEWORKCONFIG, keeps: { fields: ['recordLimit'] } }],
  mutate: mutations,
})
