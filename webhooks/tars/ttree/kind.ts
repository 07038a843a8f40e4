import { defineKind } from '../../kit/admission.ts'
import { MUTATING, VALIDATING_DELETE } from '../doors.ts'
import { TSERVER } from '../tserver/schema.ts'
import { mutations } from './mutate.ts'
import { TTREE } from './schema.ts'
import { rules } from './validate.ts'

export const ttree = defineKind({
  resource: TTREE,
  definition: {
    description: 'The apps of a namespace and the businesses that they belong to; there is one, named tars-tree.',
    writers: 'authors',
    shortNames: [],
    columns: [],
  },
  doors: [MUTATING, VALIDATING_DELETE],
  reads: [{ resource: TSERVER, asks: ['get', 'list'] }], // when an app is removed, as a live read
  mutate: mutations,
  validate: rules,
})
