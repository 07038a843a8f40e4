import type { Ran } from '../host/commands.ts'
import { expanded } from '../pass/expanded.ts'
import type { TemplateResource } from '../resources/resource.ts'
import type { Slots } from './slots.ts'

/** Runs a reload for one of those that want it. */
export type RunReload = (resource: TemplateResource) => Promise<Ran>

/** Reloads by command: the same one never runs twice at once. */
export class Reloads {
  readonly #running = new Map<string, Promise<unknown>>()
  readonly #slots: Slots

  constructor(slots: Slots) {
    this.#slots = slots
  }

  async run(command: string, act: () => Promise<Ran>): Promise<Ran> {
    const before = this.#running.get(command) ?? Promise.resolve()
    const mine = before.then(() => this.#slots.hold(act))
    const settled = mine.catch(() => undefined)
    this.#running.set(command, settled)
    void settled.then(() => {
      if (this.#running.get(command) === settled) this.#running.delete(command)
    })
    return mine
  }
}

/** The resources of one batch that share a reload: it runs once, when the last of them has had its pass (SY-FAIL-9). */
export class ReloadGroups {
  readonly #groups = new Map<string, Group>()
  readonly #reloads: Reloads
  readonly #run: RunReload

  constructor(resources: readonly TemplateResource[], reloads: Reloads, run: RunReload) {
    this.#reloads = reloads
    this.#run = run
    for (const resource of resources) this.#groupOf(resource).left++
  }

  /** Called once for each resource of the batch. Resolves with how the reload went, or at once for one that wants none. */
  async after(resource: TemplateResource, isWanted: boolean): Promise<Ran | undefined> {
    const group = this.#groupOf(resource)
    group.left--
    if (isWanted) group.first ??= resource
    if (group.left === 0) this.#start(group)
    return isWanted ? group.ran.promise : undefined
  }

  /** Whether it runs as soon as this resource is done. */
  isLast = (resource: TemplateResource): boolean => this.#groupOf(resource).left === 1

  #start({ name, first, ran }: Group): void {
    if (first === undefined) return
    this.#reloads.run(name, () => this.#run(first)).then(ran.resolve, ran.reject)
  }

  #groupOf(resource: TemplateResource): Group {
    const name = nameOf(resource)
    const known = this.#groups.get(name)
    if (known !== undefined) return known
    const group: Group = { name, left: 0, first: undefined, ran: Promise.withResolvers<Ran>() }
    this.#groups.set(name, group)
    return group
  }
}

interface Group {
  readonly name: string
  left: number
  first: TemplateResource | undefined
  readonly ran: PromiseWithResolvers<Ran>
}

/** The command as it runs; one that looks at CONFD_SRC or CONFD_DEST is another one for each target. */
function nameOf({ name, dest, reload }: TemplateResource): string {
  if (reload === undefined) return `without ${name}`
  const found = expanded(reload.command, { src: dest, dest })
  const line = JSON.stringify(found.ok ? found.command : name)
  return line.includes('CONFD_') ? `${line} ${dest}` : line
}
