import { posix } from 'node:path'
import type { Clock } from '../../timing/clock.ts'
import type { Files } from '../host/files.ts'
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

const STAGE = /^\.(.+)\.[\da-f]{12}$/s

/** Removes what an earlier run that was killed left beside targets (SY-PIPE-12). */
export async function tidy(resources: readonly TemplateResource[], files: Files, clock: Clock): Promise<void> {
  const targets = new Set(resources.map(({ dest }) => dest))
  const folders = new Set(resources.map(({ dest }) => posix.dirname(dest)))
  for (const folder of folders) {
    const names = await files.names(folder).catch(() => [])
    const left = names.filter((name) => targets.has(posix.join(folder, STAGE.exec(name)?.[1] ?? '..')))
    for (const name of left) await removeOld(posix.join(folder, name), files, clock).catch(() => undefined)
  }
}

async function removeOld(path: string, files: Files, clock: Clock): Promise<void> {
  const look = await files.look(path)
  if (look?.kind === 'file' && clock.now().getTime() - look.mtimeMs > HOUR_MS) await files.remove(path)
}
