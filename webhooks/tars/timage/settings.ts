import { flag, setting } from '../../kit/schema.ts'

export const ENFORCE_RELEASE_LIMIT = setting(
  'enforceReleaseLimit',
  flag({ doc: 'cut the releases of a TImage to recordLimit', default: true }),
)

export const FAIL_OVERTIME_BUILDS = setting(
  'failOvertimeBuilds',
  flag({ doc: 'fail builds of TImages that take longer than imageBuild.maxBuildTime', default: false }),
)
