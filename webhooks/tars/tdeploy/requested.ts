import {
  ask,
  type Create,
  effectOf,
  type Finding,
  type Findings,
  type Rule,
  type RuleWords,
  remedyOf,
  type Update,
} from '../../kit/admission.ts'
import type { ClusterReader } from '../../kit/schema.ts'
import { TSERVER, type TServer } from '../tserver/schema.ts'
import { nameOf } from '../tserver/shape.ts'
import { rules } from '../tserver/validate.ts'
import type { TDeploy } from './schema.ts'

type DeployWrite = Create<TDeploy> | Update<TDeploy>

/** A TServer of that name conflicts even if it is terminating. */
export async function existingTarget({ next, namespace }: DeployWrite, cluster: ClusterReader): Promise<Findings> {
  const name = nameOf(next.apply)
  const there = await cluster.get(TSERVER, { namespace, name })
  return there === undefined ? [] : [{ path: 'apply', value: `${namespace}/${name}` }]
}

/** Asks the TServer rules about the TServer that approval would create, and reports the findings on `apply`. */
export async function refusedTarget(given: DeployWrite, cluster: ClusterReader): Promise<Findings> {
  const creation: Create<TServer> = { ...given, operation: 'CREATE', next: targetOf(given) }
  const refusing = RULES.filter(({ rule }) => effectOf(rule, given.profile) === 'refuse')
  const found = await Promise.all(
    refusing.map(async ({ rule, through }) => {
      const findings = await ask(rule, creation, cluster)
      return findings.map((finding) => ({ ...finding, path: pathInApply(finding), through }))
    }),
  )
  return found.flat()
}

/** The TServer rules read nothing of the request but `apply`. */
function targetOf({ next: { apply }, namespace }: DeployWrite): TServer {
  return { metadata: { name: nameOf(apply), namespace }, spec: apply }
}

/** The name derives from app and server, so apply.server is the nearest field (tars.md 10). */
function pathInApply({ path }: Finding): string {
  return path === 'metadata.name' ? 'apply.server' : path.replace(/^spec\b/, 'apply')
}

/** Replaces `spec` where the text names a field, and not inside a name that an author chose. */
const ofApply = (words: string) => words.replaceAll(/(?<![-\w./"])spec(?=\.[a-z])/g, 'apply')
const inSpec = ({ path, ...rest }: Finding): Finding => ({ ...rest, path: path.replace(/^apply\b/, 'spec') })

interface BorrowedRule {
  readonly rule: Rule<TServer>
  readonly through: RuleWords
}
const RULES: readonly BorrowedRule[] = rules.map((rule) => ({
  rule,
  through: {
    id: rule.id,
    on: rule.on,
    message: (finding) => ofApply(rule.message(inSpec(finding))),
    remedy: (finding) => ofApply(remedyOf(rule, inSpec(finding))),
  },
}))
