import { defineKind } from '../../kit/admission.ts'
import { TEXITEDRECORD } from './schema.ts'

export const texitedrecord = defineKind({
  resource: TEXITEDRECORD,
  definition: {
    description: 'Which pods of a server there were; written by the controller.',
    writers: 'controllers',
    shortNames: [],
    columns: [],
  },
  doors: [],
})
