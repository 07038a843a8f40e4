import type { Response } from '../../../../src/admission/response.ts'
import type { Admit, SentReview } from '../../../../src/cluster/memory/admission.ts'

export const AT = { namespace: 'demo', name: 'g' }

export type Answers = Readonly<Partial<Record<'mutate' | 'validate', Partial<Response>>>>

/** One webhook for each phase; it says what the case wants, and notes what it was asked. */
export function webhooks(answers: Answers = {}, meanwhile: () => Promise<unknown> = async () => {}) {
  const requested: { readonly phase: string; readonly request: SentReview['request'] }[] = []
  const admit: Admit = async (phase, { request }) => {
    requested.push({ phase, request })
    await meanwhile()
    return [{ webhook: `${phase}.test`, response: { uid: request.uid, allowed: true, ...answers[phase] } }]
  }
  const object = (phase: string) => requested.find((each) => each.phase === phase)?.request.object
  return { admit, requested, object, phases: () => requested.map(({ phase }) => phase) }
}
