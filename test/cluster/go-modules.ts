import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { processesIn } from './processes.ts'

export interface GoModule {
  readonly folder: string
  /** What it becomes, and how long that takes. */
  readonly what: string
  /** What helps where there is no Go, beside Go itself. */
  readonly otherwise?: string
}

export type Go = (...args: string[]) => Promise<void>

/** There is no Go, or it cannot build the module. */
export class NotBuilt extends Error {}

/** Where a build of it is kept, if there is one. */
export function cacheFolderOf({ folder }: Pick<GoModule, 'folder'>): string {
  const caches = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tars-admission')
  return join(caches, digestOf(folder))
}

/** The cache folder of a Go module. It is built beside its place and then moved, so that no run meets half a build. */
export async function cached(goModule: GoModule, build: (into: string, go: Go) => Promise<void>): Promise<string> {
  const folder = cacheFolderOf(goModule)
  if (existsSync(folder)) return folder

  process.stderr.write(`building ${goModule.what}\n`)
  mkdirSync(dirname(folder), { recursive: true })
  const draft = mkdtempSync(`${folder}.`)
  const processes = processesIn(draft, draft)
  try {
    await build(draft, async (...args) => {
      const { code, words } = await processes.run({
        name: 'go',
        command: 'go',
        args,
        cwd: goModule.folder,
        env: { ...process.env, CGO_ENABLED: '0' },
      })
      if (code !== 0) throw new NotBuilt(`go ${args[0]} failed in ${goModule.folder}:\n${words}`)
    })
    renameSync(draft, folder)
  } catch (cause) {
    if (isMissingCommand(cause)) throw new NotBuilt(withoutGo(goModule), { cause })
    if (!existsSync(folder)) throw cause // otherwise another run was first
  } finally {
    await processes.close()
  }
  return folder
}

function withoutGo({ what, otherwise = '' }: GoModule): string {
  return `there is no Go to build ${what}: install Go 1.26 or newer (https://go.dev/dl)${otherwise}`
}

function isMissingCommand(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** It changes with what the module requires, and with its own source where it has any. */
function digestOf(folder: string): string {
  const hash = createHash('sha256')
  const source = readdirSync(folder).filter((name) => name.endsWith('.go'))
  for (const file of ['go.mod', 'go.sum', ...source.sort()]) hash.update(readFileSync(join(folder, file)))
  return hash.digest('hex').slice(0, 16)
}
