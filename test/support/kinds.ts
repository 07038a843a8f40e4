import { kindsOf } from '../../src/family.ts'
import { settingsOf } from '../../src/setting.ts'
import { families } from '../../webhooks/index.ts'

/** Of all families, whether they run by default or not, with their default settings. */
export const kinds = kindsOf(families, settingsOf({}))
/** Of those that are installed by default. */
export const installedKinds = kindsOf(
  families.filter(({ off }) => off !== true),
  settingsOf({}),
)
