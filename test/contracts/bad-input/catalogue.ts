import type { BadInput } from './entry.ts'
import { GUARDS } from './guards.ts'
import { PATCHES } from './patches.ts'
import { REQUESTS, REVIEWS } from './requests.ts'
import { SCALES } from './scale.ts'
import { TACCOUNTS } from './taccount.ts'
import { TCONFIGS } from './tconfig.ts'
import { TDEPLOYS } from './tdeploy.ts'
import { TFRAMEWORKCONFIGS } from './tframeworkconfig.ts'
import { TIMAGES } from './timage.ts'
import { TSERVERS } from './tserver.ts'
import { TTEMPLATES } from './ttemplate.ts'
import { TTREES } from './ttree.ts'

/** The catalogue of bad input (platform.md §8, RL-11), of which every kind has a chapter. */
const CHAPTERS: Readonly<Record<string, readonly BadInput[]>> = {
  'HTTP and TLS': REQUESTS,
  Reviews: REVIEWS,
  TDeploy: TDEPLOYS,
  TServer: TSERVERS,
  'Scale of a TServer': SCALES,
  TTemplate: TTEMPLATES,
  TConfig: TCONFIGS,
  TAccount: TACCOUNTS,
  TImage: TIMAGES,
  TTree: TTREES,
  TFrameworkConfig: TFRAMEWORKCONFIGS,
  'Service, StatefulSet and DaemonSet': GUARDS,
  'Node patches': PATCHES,
}

export const BAD_INPUT = Object.entries(CHAPTERS).flatMap(([chapter, rows]) => rows.map((row) => ({ chapter, ...row })))
