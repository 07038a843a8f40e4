import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceAccount } from '../cluster/client.ts'
import type { ControlPlane } from '../cluster/control-plane.ts'
import { aTTemplate } from '../support/builders/templates.ts'
import type { Link } from '../support/fakes/proxy.ts'
import { jam, NAMESPACE, TEMPLATES, unjam } from './jam.ts'

/** A control plane, and the one of its callers that feels what befalls it. */
export interface Victim {
  readonly control: ControlPlane
  /** Between that caller and the API server. */
  readonly link: Link
  readonly account: ServiceAccount
}

export interface Fault {
  readonly what: string
  /** Ends as soon as the API server can be reached again. */
  readonly befall: () => Promise<void>
  readonly throttles?: boolean
}

/** All that RL-6 describes, and each of it for so long. */
export function faultsOf(victim: Victim, ms: number): readonly Fault[] {
  return [...restarts(victim, ms), ...badLinks(victim, ms), throttling(victim, ms)]
}

function restarts({ control }: Victim, ms: number): readonly Fault[] {
  return [
    { what: 'API server killed and restarted', befall: () => control.restartApiServer() },
    {
      what: 'API server stopped (SIGSTOP)',
      async befall() {
        await control.pauseApiServer()
        await sleep(ms)
        control.resumeApiServer()
      },
    },
  ]
}

function badLinks({ control, link }: Victim, ms: number): readonly Fault[] {
  return [
    {
      what: 'connections reset, then 410',
      async befall() {
        link.cut()
        await create({ control }, 'unseen') // what the watch then cannot go on from
        await sleep(ms)
        await control.restartApiServer()
        link.heal()
      },
    },
    {
      what: 'packets vanish',
      async befall() {
        link.hole()
        await sleep(ms)
        link.cut() // a watch would find that out by its silence, in 90 s
        link.heal()
      },
    },
    {
      what: 'a byte each 20 ms',
      async befall() {
        link.cut()
        link.trickle(20)
        await sleep(ms)
        link.heal()
      },
    },
  ]
}

function throttling(victim: Victim, ms: number): Fault {
  return {
    what: '429 to everything',
    throttles: true,
    async befall() {
      const endless = await jam(victim)
      victim.link.cut()
      victim.link.heal()
      await sleep(ms)
      await unjam(victim, endless)
    },
  }
}

export async function create({ control }: Pick<Victim, 'control'>, name: string): Promise<boolean> {
  const { status, body } = await control.request('POST', TEMPLATES, aTTemplate({ name, namespace: NAMESPACE }))
  if (status === 201 || status === 409) return true
  throw new Error(`no template ${name}, but ${status}: ${JSON.stringify(body)}`)
}
