import type { MemoryCluster } from '../../src/cluster/memory/memory-cluster.ts'
import { needsOf } from '../../src/cluster/needs.ts'
import type { Built } from '../../src/cluster/port.ts'
import { type Facts, NOTHING_KNOWN } from '../../src/fact.ts'
import { asCluster } from '../../src/process/memory-cluster.ts'
import { Cells } from '../../src/reconcile/cells.ts'
import type { Controller, Key, Turn } from '../../src/reconcile/controller.ts'
import { settle } from '../../src/reconcile/settle.ts'
import { writerWith } from '../../src/reconcile/turn-writer.ts'
import type { Tree } from '../../src/schema.ts'
import { type Settings, settingsOf } from '../../src/setting.ts'
import { families } from '../../webhooks/index.ts'
import { CTRL, SETTINGS } from './answerer-parts.ts'
import { NOW } from './clusters.ts'
import { REMOTES } from './remotes.ts'

/**
 * Turns of a controller of our families: it sees of this cluster what it keeps, and its actions are carried out there as
 * those of the worker.
 */
export function turnsOf(
  name: string,
  cluster: MemoryCluster,
  gone: readonly Built[] = [],
  settings = SETTINGS,
  facts = NOTHING_KNOWN,
) {
  return turnsOfController(controllerNamed(name, settings), cluster, { gone, settings, facts })
}

/** The same of a controller that no family lists. */
export function turnsOfController(
  controller: Controller,
  cluster: MemoryCluster,
  {
    gone = [],
    settings = SETTINGS,
    facts = NOTHING_KNOWN,
  }: { gone?: readonly Built[]; settings?: Settings; facts?: Facts } = {},
) {
  const { readers, writer } = asCluster(cluster, needsOf({ controllers: [controller] }, 'worker').reads, CTRL)
  const begin = writerWith({ live: cluster, adopts: [] })
  const cells = new Cells()
  return async (key: Key, at: Date): Promise<Turn | undefined> => {
    const given = { at, attempt: 0, profile: 'seed', settings, facts } as const
    const context = { ...given, live: cluster, writer, signal: new AbortController().signal }
    const carryOut = { context, write: begin(writer) }
    const cell = cells.of(key, (await readers.cached.get(controller.of, key))?.metadata.uid)
    return controller.turn(key, { ...given, sight: { ...readers, gone: () => gone }, carryOut, cell })
  }
}

interface SettledWishes {
  readonly given?: Tree
  /** What else runs there. */
  readonly beside?: readonly Controller[]
  readonly forMs?: number
}
/** Runs a controller of our families as a worker does, until nothing is due. */
export async function settled(name: string, cluster: MemoryCluster, wishes: SettledWishes = {}) {
  const { given = {}, beside = [], forMs = 10_000 } = wishes
  const settings = settingsOf(given)
  const controllers = [controllerNamed(name, settings), ...beside]
  const seen = asCluster(cluster, needsOf({ controllers }, 'worker').reads, CTRL)
  const options = { settings, profile: 'seed', at: new Date(NOW), forMs } as const
  const { results, notices } = await settle(controllers, seen, options)
  const done = results.filter(({ outcome }) => outcome === 'done')
  return {
    /** `apply Service`, in their order. */
    writes: done.map(({ action }) => ('of' in action ? `${action.do} ${action.of.kind}` : action.do)),
    /** Of the events, each once. */
    reasons: [...new Set(notices.map(({ reason }) => reason))],
  }
}

export const controllersWith = (settings: Settings): readonly Controller[] =>
  families.flatMap((family) => family.controllers(REMOTES, settings))

function controllerNamed(name: string, settings: Settings): Controller {
  const found = controllersWith(settings).find((controller) => controller.name === name)
  if (found === undefined) throw new Error(`no family lists a controller ${name}`)
  return found
}
