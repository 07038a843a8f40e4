import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Writes a volume as kubelet does, and csi drivers with it (AtomicWriter of kubernetes/kubernetes, pkg/volume/util):
 * the files go into a new folder named for the time, the link `..data` is exchanged for one that leads there, links of
 * the files' own names, or of the folders that they are in, are there from the first time on, and the old folder goes.
 */
export function kubeletWrites(volume: string, files: Readonly<Record<string, string>>): void {
  const link = join(volume, '..data')
  const old = existsSync(link) ? readlinkSync(link) : undefined
  const fresh = `..${new Date().toISOString().replaceAll(/[-T:.]/g, '_')}.${randomUUID()}`
  mkdirSync(join(volume, fresh), { mode: 0o755 })
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(volume, fresh, path)), { recursive: true })
    writeFileSync(join(volume, fresh, path), content)
  }
  symlinkSync(fresh, `${link}_tmp`)
  renameSync(`${link}_tmp`, link)
  const shown = readdirSync(volume).filter((name) => !name.startsWith('..'))
  const names = new Set(Object.keys(files).map((path) => path.replace(/\/.*/, '')))
  for (const name of names) if (!shown.includes(name)) symlinkSync(join('..data', name), join(volume, name))
  for (const name of shown) if (!names.has(name)) rmSync(join(volume, name))
  if (old !== undefined) rmSync(join(volume, old), { recursive: true })
}
