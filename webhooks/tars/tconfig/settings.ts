import { integer, setting } from '../../kit/schema.ts'

export const DELETION_GUARD_SECONDS = setting(
  'deletionGuardSeconds',
  integer({ doc: 'age from which an active TConfig may be deleted', default: 0, minimum: 0, maximum: 86_400 }),
)
