import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { folderOf } from '../support/folders.ts'

const PRODUCT = ['src/bin/tars-admission.ts', 'sync']

/** What both are given. OUT stands for the folder of targets, DIR for the confdir. */
export interface Given {
  readonly conf?: Readonly<Record<string, string>>
  readonly templates?: Readonly<Record<string, string>>
  /** Other files of the confdir. */
  readonly files?: Readonly<Record<string, string>>
  readonly links?: Readonly<Record<string, string>>
  /** What stands there before: content and mode. */
  readonly there?: Readonly<Record<string, readonly [content: string, mode: number]>>
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Ends it with SIGTERM once this is printed or written, for what does not end by itself. */
  readonly seconds?: number
}

/** What is left: the exit code, and each file beside the targets with its mode. */
export interface Left {
  /** `null`: it went on, and was ended. */
  readonly code: number | null
  readonly files: Readonly<Record<string, string>>
}

export interface Both {
  readonly confd: Left
  readonly ours: Left
}

/** Runs the real confd and ours on the same things, each in folders of its own. */
export async function besideConfd(given: Given): Promise<Both> {
  const [confd, ours] = await Promise.all([
    leftBy([inject('components').confd], given),
    leftBy([process.execPath, ...PRODUCT], given),
  ])
  return { confd, ours }
}

async function leftBy([program = '', ...first]: readonly string[], given: Given): Promise<Left> {
  const [dir, out] = [folderOf(), folderOf()]
  const filled = (text: string) => text.replaceAll('OUT', out).replaceAll('DIR', dir)
  lay(dir, out, given, filled)
  const args = [...first, '-confdir', dir, '-backend', 'env', ...(given.args ?? []).map(filled)]
  const env = { PATH: process.env.PATH, ...given.env }
  const child = spawn(program, args, { stdio: 'ignore', env })
  const timer = setTimeout(() => child.kill('SIGKILL'), (given.seconds ?? 30) * 1_000)
  const [code] = await once(child, 'close')
  clearTimeout(timer)
  return { code, files: filesIn(out) }
}

function lay(dir: string, out: string, given: Given, filled: (text: string) => string): void {
  const { conf = {}, templates = {}, files = {}, links = {}, there = {} } = given
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  for (const [name, text] of Object.entries(conf)) write(join(dir, 'conf.d', name), filled(text))
  for (const [name, text] of Object.entries(templates)) write(join(dir, 'templates', name), text)
  for (const [name, text] of Object.entries(files)) write(join(dir, name), filled(text))
  for (const [name, target] of Object.entries(links)) symlinkSync(filled(target), filled(name))
  for (const [name, [content, mode]] of Object.entries(there)) {
    write(join(out, name), content)
    chmodSync(join(out, name), mode)
  }
}

/** Mode and content by name. */
function filesIn(out: string): Readonly<Record<string, string>> {
  const names = readdirSync(out).sort()
  return Object.fromEntries(
    names.map((name) => {
      const path = join(out, name)
      const { mode } = statSync(path)
      return [name, `${(mode & 0o7777).toString(8)} ${statSync(path).isFile() ? readFileSync(path, 'utf8') : ''}`]
    }),
  )
}
