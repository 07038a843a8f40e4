import type { Built } from '../../src/cluster/port.ts'
import { isStored } from '../../src/cluster/stored.ts'
import type { Tree } from '../../src/schema.ts'
import { withRequest } from '../support/reviews.ts'
import { type Outcome, WebhookCaller } from '../support/webhook-caller.ts'
import { post } from './line.ts'
import { stored } from './objects.ts'
import { creation, requestOf } from './reviews.ts'

/** A server under test, and where it reviews. */
export interface Reviewer {
  readonly port: number
  readonly mutate: string
  readonly validate: string
}
export const OUR_PATHS = { mutate: '/mutating', validate: '/validating' }

type Phase = 'mutate' | 'validate'

/**
 * What an API server sends for a write, to be sent again and again. Each is sent once here before, and has to be answered
 * by a decision that admits it: what is passed over costs nothing.
 */
export interface Caller {
  /** An object, completed and stored. */
  store(object: Built): Promise<Built>
  calls(review: Tree, options?: CallOptions): Promise<readonly Buffer[]>
  close(): void
}
interface CallOptions {
  /** Nobody validates. */
  readonly mutateOnly?: true
  /** It came uncompleted, and has to be answered by a patch; so has every CREATE. */
  readonly uncompleted?: boolean
  /** Words of a warning without which it was not answered as meant. */
  readonly warned?: string
}

export function callerAt(reviewer: Reviewer, ca: string): Caller {
  const caller = new WebhookCaller()

  async function ask(phase: Phase, review: Tree, { uncompleted, warned }: CallOptions = {}): Promise<unknown> {
    const url = `https://127.0.0.1:${reviewer.port}${reviewer[phase]}`
    const outcome = await caller.call({ name: 'bench', phase, url, caBundle: ca }, review)
    const isPatched = outcome.object !== requestOf(review).object
    const why = uncompleted && !isPatched ? 'there is no patch' : missing(outcome, warned)
    if (why !== undefined) throw new Error(`${reviewer[phase]} does not do what is to be measured: ${why}`)
    return outcome.object
  }

  async function validation(review: Tree, warned: Pick<CallOptions, 'warned'>): Promise<Buffer> {
    await ask('validate', review, warned)
    return post(reviewer.validate, review)
  }

  return {
    async store(object) {
      const completed = await ask('mutate', creation(object), { uncompleted: true })
      if (!isStored(completed)) throw new Error(`${object.metadata.name} came back as no object`)
      return stored(completed)
    },
    async calls(review, { mutateOnly, uncompleted = requestOf(review).operation === 'CREATE', ...warned } = {}) {
      if (requestOf(review).operation === 'DELETE') return [await validation(review, warned)]
      const first = post(reviewer.mutate, review)
      const last = withRequest(review, { object: await ask('mutate', review, { uncompleted }) })
      return mutateOnly ? [first] : [first, await validation(last, warned)]
    },
    close: () => caller.close(),
  }
}

function missing({ refused, passedOver, warnings }: Outcome, warned = ''): string | undefined {
  if (warned !== '' && !warnings.some((text) => text.includes(warned))) return `it does not say that it ${warned}`
  const unheard = warnings.find((text) => /not checked|no handler/.test(text))
  return refused?.message ?? passedOver ?? unheard
}
