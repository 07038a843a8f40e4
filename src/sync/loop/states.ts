import { posix } from 'node:path'
import type { Files } from '../host/files.ts'
import type { Host } from '../host/host.ts'
import { beside } from '../pass/commit.ts'
import type { TemplateResource } from '../resources/resource.ts'
import { newState, type State } from './state.ts'

const HOUR_MS = 3_600_000

/** The states of resources, new ones for those that were not there. A marker beside a target says that it owes a reload. */
export async function statesOf(
  resources: readonly TemplateResource[],
  before: readonly State[],
  files: Files,
): Promise<readonly State[]> {
  const known = new Map(before.map((state) => [state.resource.name, state]))
  return Promise.all(
    resources.map(async (resource) => {
      const state = known.get(resource.name)
      if (state?.resource.dest === resource.dest) return Object.assign(state, { resource, tried: undefined })
      return { ...newState(resource), owesReload: await owes(resource, files) }
    }),
  )
}

/** Without a reload there is nothing to owe. */
async function owes({ dest, reload }: TemplateResource, files: Files): Promise<boolean> {
  const { marker } = beside(dest)
  const isMarked = (await files.look(marker).catch(() => undefined)) !== undefined
  if (isMarked && reload === undefined) await files.remove(marker).catch(() => undefined)
  return isMarked && reload !== undefined
}

/** The target, and the process that has rendered it. */
const STAGE = /^\.(.+)\.([\da-f]{6})[\da-f]{6}$/s

/** Removes what an earlier run that was killed left beside targets (SY-PIPE-12). */
export async function tidy(resources: readonly TemplateResource[], host: Host): Promise<void> {
  const targets = new Set(resources.map(({ dest }) => dest))
  const folders = new Set(resources.map(({ dest }) => posix.dirname(dest)))
  for (const folder of folders) {
    const names = await host.files.names(folder).catch(() => [])
    const left = names.filter((name) => targets.has(posix.join(folder, STAGE.exec(name)?.[1] ?? '..')))
    for (const name of left) await removeLeft(posix.join(folder, name), host).catch(() => undefined)
  }
}

/** A process of another container may be at work on it though it has no number here: then its pass is tried again. */
async function removeLeft(path: string, { files, clock, isOther }: Host): Promise<void> {
  const look = await files.look(path)
  if (look?.kind !== 'file') return
  const [, , owner = ''] = STAGE.exec(posix.basename(path)) ?? []
  const isOld = clock.now().getTime() - look.mtimeMs > HOUR_MS
  if (isOld || !isOther(Number.parseInt(owner, 16))) await files.remove(path)
}
