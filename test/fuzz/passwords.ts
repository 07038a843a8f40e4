import fc from 'fast-check'
import type { Enforce } from '../../src/admission/answer.ts'
import type { Passwords } from '../../src/admission/mutation.ts'
import { answeredReview } from '../../src/admission/response.ts'
import { Fault } from '../../src/faults.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { taccount } from '../../webhooks/tars/taccount/kind.ts'
import { TACCOUNT } from '../../webhooks/tars/taccount/schema.ts'
import { answered, MUTATING, VALIDATING } from '../support/answerer-parts.ts'
import { hashFor } from '../support/builders/accounts.ts'
import { anyJson, goingOf, sentOf, storedOf } from '../support/generated.ts'
import { quickPasswords } from '../support/passwords.ts'
import { reviewsOf } from '../support/reviews.ts'
import { must, type Target, target } from './target.ts'

/** What is said and stored of a TAccount in whose clear text something stands that nobody may read (SC-6). */
const SECRET = 'hunter2'
const NUMBER = 86_753_091
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

const password = fc.oneof(
  fc.constantFrom<unknown>(
    SECRET,
    `${SECRET} `,
    `größe-${SECRET}`,
    SECRET.repeat(12),
    `${SECRET}\u0000`,
    `\ud800${SECRET}`,
  ),
  fc.constantFrom<unknown>(NUMBER, -NUMBER, [SECRET], { [SECRET]: SECRET }, [[{ a: SECRET }]], true, null, ''),
  anyJson.map((value) => [value, SECRET]),
)
/** In every shape of object: whole, with anything missing, or with anything in place of anything. */
const account = fc
  .tuple(
    sentOf(taccount).filter(isTree),
    password,
    fc.boolean(),
    fc.constantFrom<unknown>(undefined, {}, hashFor(SECRET)),
  )
  .map(([object, clear, applied, hash]) => withSecret(object, { clear, applied, hash }))

function withSecret(object: Tree, { clear, applied, hash }: { clear: unknown; applied: boolean; hash: unknown }): Tree {
  const [spec, metadata] = [treeIn(object.spec), treeIn(object.metadata)]
  const authentication = {
    ...treeIn(spec.authentication),
    password: clear,
    ...(hash !== undefined && { bcryptPassword: hash }),
  }
  const annotations = { ...treeIn(metadata.annotations), [LAST_APPLIED]: JSON.stringify({ password: SECRET }) }
  return { ...object, spec: { ...spec, authentication }, metadata: applied ? { ...metadata, annotations } : metadata }
}
const treeIn = (value: unknown): Tree => (isTree(value) ? value : {})

const fails = (code: Fault['code']): Passwords => {
  const failing = () => Promise.reject(new Fault(code, 'not now'))
  return { hash: failing, verify: failing }
}

const writes = fc.record({
  object: account,
  old: fc.option(fc.oneof(storedOf(taccount), storedOf(taccount).map(goingOf))),
  enforce: fc.constantFrom<Enforce>('refuse', 'warn'),
  profile: fc.constantFrom('seed' as const, 'upstream' as const),
  dryRun: fc.boolean(),
  passwords: fc.constantFrom(quickPasswords, quickPasswords, fails('DEADLINE'), fails('OVERLOADED')),
})
type Write = typeof writes extends fc.Arbitrary<infer T> ? T : never

const { creationOf, updateOf } = reviewsOf(TACCOUNT)
const bodyOf = ({ object, old, dryRun }: Write) =>
  JSON.parse(JSON.stringify(old === null ? creationOf(object, { dryRun }) : updateOf(old, object, { dryRun })))

/** Sent away, nothing is stored and nothing said but that. */
async function answerTo(path: string, { enforce, profile, passwords, ...rest }: Write) {
  try {
    return await answered(path, bodyOf({ enforce, profile, passwords, ...rest }), {
      enforce,
      profile,
      remotes: { passwords },
    })
  } catch (error) {
    must(error instanceof Fault && error.code === 'OVERLOADED' && !isShown(error.message), String(error))
    return undefined
  }
}

function isShown(text: string): boolean {
  return text.includes(SECRET) || text.includes(String(NUMBER))
}

const untold = target({
  name: 'no answer tells the password of a TAccount: no patch, message, warning or audit annotation (SC-6, TA-V1)',
  share: 2,
  ofReviews: true,
  cases: fc.tuple(writes, fc.constantFrom(MUTATING, VALIDATING)),
  async holds([write, path]) {
    const answer = await answerTo(path, write)
    if (answer === undefined) return
    const { response } = answer
    const patch = Buffer.from(response.patch ?? '', 'base64').toString()
    must(!isShown(JSON.stringify(answeredReview(response)) + patch), 'a password is told')
  },
})

const unstored = target({
  name: 'what is let in of a TAccount carries no password, nor what kubectl noted of it (TA-M1, TA-M6, UX-3)',
  share: 2,
  ofReviews: true,
  cases: writes,
  async holds(write) {
    const answer = await answerTo(MUTATING, write)
    if (answer === undefined || !answer.response.allowed) return
    const { spec, metadata } = treeIn(answer.object)
    must(!Object.hasOwn(treeIn(treeIn(spec).authentication), 'password'), 'a password is stored')
    must(!Object.hasOwn(treeIn(treeIn(metadata).annotations), LAST_APPLIED), 'what kubectl noted is stored')
  },
})

export const passwordTargets: readonly Target[] = [untold, unstored]
