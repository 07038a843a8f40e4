import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { issueAuthority, issueLeaf } from '../../certs/authority.ts'
import { imageEnv } from '../support/image.ts'
import type { Row } from './table.ts'

/** What every measurement is given. What it makes in the folder goes with the folder. */
export interface Setting {
  /** A rough idea in a minute: fewer rounds, shorter, and fewer objects, which the rows say. */
  readonly quick: boolean
  /** How long a soak takes. */
  readonly minutes?: number
  /** With tls.crt, tls.key and ca.crt for 127.0.0.1. */
  readonly folder: string
  readonly ca: string
  /** The bundle, as in the image: compiled beforehand. */
  readonly bundle: Bundle
}
export interface Bundle {
  readonly program: string
  readonly env: NodeJS.ProcessEnv
}

export interface Measurement {
  readonly ids: readonly string[]
  readonly measure: (setting: Setting) => Promise<readonly Row[]>
}

export async function set(quick: boolean, minutes?: string): Promise<Setting & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'tars-admission-bench-'))
  const remove = () => rm(folder, { recursive: true })
  const [ca, bundle] = await Promise.all([certificatesIn(folder), bundleIn(folder)])
  return { quick, ...(minutes && { minutes: Number(minutes) }), folder, ca, bundle, [Symbol.asyncDispose]: remove }
}

export async function certificatesIn(folder: string): Promise<string> {
  const authority = await issueAuthority(new Date())
  const leaf = await issueLeaf(authority, ['127.0.0.1'], new Date())
  const files = { 'tls.crt': leaf.cert, 'tls.key': leaf.key, 'ca.crt': authority.cert }
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content, { mode: 0o600 })
  return authority.cert
}

async function bundleIn(folder: string): Promise<Bundle> {
  const dist = join(folder, 'dist')
  const env = { ...process.env, ...imageEnv(), NODE_COMPILE_CACHE: join(folder, 'compiled'), TMPDIR: folder }
  const node = (...args: readonly string[]) => promisify(execFile)(process.execPath, [...args], { env })
  await node('.config/bundle.ts', dist)
  const program = join(dist, 'tars-admission.js')
  await node('--input-type=module', '--eval', COMPILE, dist)
  await node(program, '--help')
  return { program, env }
}

/** As the Dockerfile does it. */
const COMPILE = `import { readdirSync } from 'node:fs'
const dist = process.argv[1]
for (const file of readdirSync(dist)) if (/^(?!tars).*\\.js$/.test(file)) await import(dist + '/' + file)`
