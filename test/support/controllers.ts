import { controllersOf } from '../../src/family.ts'
import { settingsOf } from '../../src/setting.ts'
import { families } from '../../webhooks/index.ts'
import { REMOTES } from './remotes.ts'

/** Those of all families, with their default settings. */
export const controllers = controllersOf(families, REMOTES, settingsOf({}))
