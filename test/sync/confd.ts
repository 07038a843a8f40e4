import { join } from 'node:path'
import { cached } from '../cluster/go-modules.ts'

const FOLDER = join(import.meta.dirname, 'confd')

/** The real confd, 0.16.0, the newest version that its module has. */
export async function confd(): Promise<string> {
  const folder = await cached({ folder: FOLDER, what: 'confd, about 2 minutes the first time' }, (into, go) =>
    go('build', '-trimpath', '-ldflags=-s -w', '-o', `${into}/`, 'tool'),
  )
  return join(folder, 'confd')
}
