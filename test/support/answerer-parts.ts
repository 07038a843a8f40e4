import { type Answer, type AnswererParts, type Arrival, answerer } from '../../src/admission/answer.ts'
import { type Review, reviewOf } from '../../src/admission/review.ts'
import { isTree } from '../../src/schema.ts'
import { type Setting, type Settings, settingsOf } from '../../src/setting.ts'
import { readersOf } from './fakes/readers.ts'
import { kinds } from './kinds.ts'
import { quickPasswords } from './passwords.ts'

export const CTRL = 'system:serviceaccount:tars-system:tars-controller'
export const WEBHOOK = 'system:serviceaccount:tars-system:tars-webhook'
/** Deletes what is in a terminating namespace. */
export const NAMESPACE_CONTROLLER = 'system:serviceaccount:kube-system:namespace-controller'
/** Others of Kubernetes itself: what they delete, they may delete for somebody else (tars.md 1.5). */
export const DEPUTIES = [
  'system:serviceaccount:kube-system:generic-garbage-collector',
  'system:kube-controller-manager',
  'system:apiserver',
]

export const MUTATING = '/mutating'
export const VALIDATING = '/validating'

export const SETTINGS = settingsOf({})
/** One that was set; the others have their defaults. */
export const withSetting = <T>({ name }: Setting<T>, value: T): Settings => settingsOf({ [name]: value })

/** All kinds on an empty cluster, unless the case says otherwise. */
export function answererPartsOf(wishes: Partial<AnswererParts> = {}): AnswererParts {
  return {
    kinds,
    readers: readersOf(),
    profile: 'seed',
    settings: SETTINGS,
    remotes: { passwords: quickPasswords },
    carryOut: async () => {},
    enforce: 'refuse',
    identities: { controllers: [CTRL, WEBHOOK] },
    ...wishes,
  }
}

/** In no hurry. */
export function arrivalAt(path: string): Arrival {
  return { path, at: new Date('2026-11-18T12:00:00Z'), deadline: { left: () => 7_200 } }
}

/** From the body of a request to the answer, as the server goes; `object` is what the mutations made of it. */
export function answered(path: string, body: unknown, wishes?: Partial<AnswererParts>): Promise<Answered> {
  return answeredAt(arrivalAt(path), body, wishes)
}
type Answered = Answer & Pick<Review, 'object'>

export async function answeredAt(arrival: Arrival, body: unknown, wishes?: Partial<AnswererParts>): Promise<Answered> {
  const review = reviewOf(body)
  const answer = await answerer(answererPartsOf(wishes))(review, arrival)
  return { ...answer, object: review.object }
}

/** The patch as the API server reads it. */
export function patchIn({ response: { patch } }: Answer): unknown {
  return patch === undefined ? undefined : JSON.parse(Buffer.from(patch, 'base64').toString())
}

/** What an author gets to read. */
export function wordsOf({ response: { allowed, status, warnings = [] } }: Answer): string {
  const decision = allowed ? 'allowed' : `${status?.code} ${status?.reason}: ${status?.message}`
  return [decision, ...warnings.map((warning) => `warning: ${warning}`)].join('\n')
}

export function labelsIn(object: unknown): unknown {
  const metadata = isTree(object) ? object.metadata : undefined
  return isTree(metadata) ? metadata.labels : undefined
}
