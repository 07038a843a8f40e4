import { defineKind } from '../../kit/admission.ts'
import { TENDPOINT } from './schema.ts'

export const tendpoint = defineKind({
  resource: TENDPOINT,
  definition: {
    description: 'Where a server is reached, for the registry of Tars; written by the controller.',
    writers: 'controllers',
    shortNames: ['te'],
    columns: [],
    subresources: { status: true },
  },
  doors: [],
})
