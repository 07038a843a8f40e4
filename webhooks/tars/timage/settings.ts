import { flag, setting } from '../../kit/schema.ts'

export const ENFORCE_RELEASE_LIMIT = setting(
  'enforceReleaseLimit',
  flag({ doc: 'cut the releases of a TImage to recordLimit', default: true }),
)
