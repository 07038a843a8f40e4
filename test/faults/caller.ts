import { type Outcome, type Webhook, WebhookCaller } from '../support/webhook-caller.ts'
import { completed } from './templates.ts'
import type { WebhookProcess } from './webhook-process.ts'

/** One API server that has the webhook registered by its Service. */
export interface Caller {
  /** A create of a TTemplate comes for its last look. */
  ask(bytes?: number): Promise<Outcome>
  /** Dialled so far. */
  readonly connections: number
  close(): void
}

const SERVICE = 'tars-webhook-service.tars-system.svc'

export function callerOf({ address, ca }: Pick<WebhookProcess, 'address' | 'ca'>, timeoutSeconds = 10): Caller {
  const caller = new WebhookCaller()
  const place = { name: 'validating.tars.io', url: `${address}/validating`, caBundle: ca, service: SERVICE }
  const webhook: Webhook = { ...place, phase: 'validate', timeoutSeconds }
  return {
    ask: (bytes = 4_096) => caller.call(webhook, completed(bytes)),
    get connections() {
      return caller.connections
    },
    close: () => caller.close(),
  }
}

/** Nobody's write is lost: it was decided, whatever the decision. Why not, otherwise: no answer, or one that puts it off. */
export function lost({ refused, passedOver }: Pick<Outcome, 'refused' | 'passedOver'>): string | undefined {
  if (passedOver !== undefined) return passedOver
  return refused !== undefined && refused.code >= 500 ? refused.message : undefined
}
