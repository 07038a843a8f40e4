import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A control group that kills who takes more, as that of a pod does. */
export interface MemoryLimit {
  /** Where a process writes its pid to be in it. */
  readonly procs: string
  /** The most that it ever held. */
  peak(): number
  /** When all in it have ended. */
  remove(): Promise<void>
}

interface Version {
  readonly root: string
  readonly limit: string
  /** Memory is not swapped out instead; not every kernel has swap at all. */
  readonly noSwap: { readonly file: string; readonly value: (bytes: number) => number }
  readonly peak: string
}
const VERSIONS: readonly Version[] = [
  {
    root: '/sys/fs/cgroup',
    limit: 'memory.max',
    noSwap: { file: 'memory.swap.max', value: () => 0 },
    peak: 'memory.peak',
  },
  {
    root: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    noSwap: { file: 'memory.memsw.limit_in_bytes', value: (bytes) => bytes },
    peak: 'memory.max_usage_in_bytes',
  },
]

/** Nothing where we may not make one, which takes root on a machine of one's own. */
export function memoryLimit(bytes: number): MemoryLimit | undefined {
  return VERSIONS.map((version) => limitBy(version, bytes)).find((limit) => limit !== undefined)
}

function limitBy({ root, limit, noSwap, peak }: Version, bytes: number): MemoryLimit | undefined {
  const group = join(root, `tars-admission-faults-${process.pid}-${Date.now()}`)
  if (!did(() => mkdirSync(group))) return undefined
  if (!existsSync(join(group, limit))) {
    did(() => rmdirSync(group)) // no memory controller in this hierarchy
    return undefined
  }
  writeFileSync(join(group, limit), String(bytes))
  did(() => writeFileSync(join(group, noSwap.file), String(noSwap.value(bytes))))
  return {
    procs: join(group, 'cgroup.procs'),
    peak: () => Number(readFileSync(join(group, peak), 'utf8')),
    async remove() {
      for (let i = 0; i < 50 && !did(() => rmdirSync(group)); i += 1) await sleep(100)
    },
  }
}

function did(act: () => void): boolean {
  try {
    act()
    return true
  } catch {
    return false
  }
}
