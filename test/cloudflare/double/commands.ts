import type { Tree } from '../../../src/schema.ts'
import type { DoubleFault } from './faults.ts'
import { textOf } from './routing.ts'
import type { Double } from './server.ts'

/** What a test in another process asks for, by POST to /__double/NAME. */
export const COMMANDS: Readonly<Record<string, (double: Double, asked: Tree) => unknown>> = {
  account: ({ state }, { name }) => ({ id: state.addAccount({ name: textOf(name, 'account') }).id }),
  zone: ({ state }, { account, name, plan }) => {
    const made = { account: textOf(account), name: textOf(name) }
    return { id: state.addZone({ ...made, plan: plan === 'paid' ? 'paid' : 'free' }).id }
  },
  token: ({ state }, { token, name, account }) => {
    state.credentials.set(textOf(token), { name: textOf(name), accounts: [textOf(account)] })
  },
  limit: ({ limits }, { token, ...wishes }) => limits.set(textOf(token), wishes),
  fault: ({ faults }, fault) => isFault(fault) && faults.plan(fault),
  'no faults': ({ faults }) => faults.clear(),
  release: ({ faults }) => faults.release(),
  connections: ({ state }, { tunnel, many }) => {
    for (const { tunnels } of state.accounts.values())
      for (const each of tunnels.values()) if (each.id === tunnel) each.connections = Number(many)
  },
  objects: ({ state }, { bucket, many }) => {
    for (const { buckets } of state.accounts.values())
      for (const each of buckets.values()) if (each.name === bucket) each.objects = Number(many)
  },
  log: ({ log }) => log,
  state: ({ state }) => ({ ...state.shown(), digest: state.digest() }),
}

const isFault = (value: Tree): value is Tree & DoubleFault => typeof value.do === 'string'
