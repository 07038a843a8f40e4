import type { Built } from '../../../../src/cluster/port.ts'
import type { Tree } from '../../../../src/schema.ts'
import { TDEPLOY } from '../../../../webhooks/tars/tdeploy/schema.ts'
import { answered, VALIDATING, wordsOf } from '../../../support/answerer-parts.ts'
import { aTTemplate } from '../../../support/builders/templates.ts'
import { readersOf } from '../../../support/fakes/readers.ts'
import { reviewsOf, type Sent } from '../../../support/reviews.ts'

export const { creationOf, updateOf } = reviewsOf(TDEPLOY)
export const base = aTTemplate()
type Parts = Parameters<typeof answered>[2]
export const answerTo = async (body: unknown, there: readonly Built[] = [base], parts: Parts = {}) =>
  wordsOf(await answered(VALIDATING, body, { readers: readersOf(...there), ...parts }))
export const onUpdate = (old: Built, object: unknown, sent?: Sent) => answerTo(updateOf(old, object, sent))

/** Refused of a TServer, and the fields are named as the request has them. */
export const UNFIT: readonly { name: string; apply: Tree; words: string; id: string }[] = [
  {
    name: 'two servants of one name',
    apply: {
      tars: tarsWith([
        { name: 'EchoObj', port: 1_000 },
        { name: 'echoobj', port: 1_001 },
      ]),
    },
    words:
      'apply.tars.servants[1].name: "echoobj" duplicates servants[0] (compared without case); give each a name of its own',
    id: 'TS-V8',
  },
  {
    name: 'the block of another type',
    apply: { subType: 'normal', normal: { ports: [] } },
    words:
      'apply.tars: only allowed when apply.subType is "tars"; give the block that apply.subType names, and not the other',
    id: 'TS-V5',
  },
  {
    name: 'no block at all',
    apply: { tars: undefined },
    words:
      'apply.tars: required when apply.subType is "tars"; give the block that apply.subType names, and not the other',
    id: 'TS-V5',
  },
  {
    name: 'a name that is too long, which is that of app and server',
    apply: { server: 'E'.repeat(54), k8s: { abilityAffinity: 'AppRequired' } },
    words: 'apply.server: must be at most 58 characters; shorten apply.app or apply.server',
    id: 'TS-V7',
  },
  {
    name: 'a template that is not there, whose name is not rewritten',
    apply: { tars: { template: 'spec.base', servants: [] } },
    words: 'apply.tars.template: TTemplate demo/spec.base does not exist; create it first, or name another',
    id: 'TS-V15',
  },
]
function tarsWith(servants: readonly Tree[]): Tree {
  return { template: 'base', servants }
}
