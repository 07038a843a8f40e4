import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const FOLDER = import.meta.dirname
const START = ['-Xshare:auto', '-XX:TieredStopAtLevel=1', '-Xmx256m']

const runs = (command: string, ...args: readonly string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0

/** A JDK, not a mere runtime. */
export const isJavaInstalled = () => runs('javac', '-version')

/** Where the classes of a project of Maven are, or why not. Maven keeps them once they were fetched. */
export function jarsOf(project: string): { readonly path?: string; readonly absence?: string } {
  if (!runs('mvn', '-version')) return { absence: 'Maven is not installed' }
  const folder = mkdtempSync(join(tmpdir(), 'nacos-oracle-'))
  const copy = ['--batch-mode', '-q', '-f', join(FOLDER, project), 'dependency:copy-dependencies']
  const isCopied = [['-o'], []].some((how) => runs('mvn', ...how, ...copy, `-DoutputDirectory=${folder}`))
  return isCopied ? { path: join(folder, '*') } : { absence: `Maven cannot fetch what ${project} names` }
}

/** Compiled programs of this folder. */
export interface JavaPrograms {
  readonly classPath: string
}
export function compiled(names: readonly string[], jars = ''): JavaPrograms {
  const into = mkdtempSync(join(tmpdir(), 'nacos-oracle-'))
  const classPath = [into, jars].filter(Boolean).join(':')
  execFileSync('javac', ['-d', into, '-cp', classPath, ...names.map((name) => join(FOLDER, `${name}.java`))])
  return { classPath }
}

/** What a program answers to texts, in their order. */
export async function answersOf(program: string, { classPath }: JavaPrograms, texts: readonly string[]) {
  const child = spawn('java', [...START, '-cp', classPath, program], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(texts.map((text) => `${utf8(text)} ${utf16(text)}\n`).join(''))
  const answers: (readonly unknown[])[] = []
  for await (const line of createInterface({ input: child.stdout }))
    answers.push(line.split('\t').map((part): unknown => JSON.parse(part)))
  if (answers.length !== texts.length) throw new Error(`${program} answered ${answers.length} of ${texts.length} texts`)
  return answers
}

/** As it is stored. */
const utf8 = (text: string) => Buffer.from(text).toString('base64')
/** UTF-8 holds no half of a pair. */
const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('base64')

/** What a program prints, of these options of Java, words and variables. */
export interface Given {
  readonly options?: readonly string[]
  readonly words?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}
export function printedBy(program: string, { classPath }: JavaPrograms, { options = [], words = [], env = {} }: Given) {
  const args = [...START, ...options, '-cp', classPath, program, ...words]
  return execFileSync('java', args, { env: { PATH: process.env.PATH ?? '', ...env }, encoding: 'utf8' }).trim()
}
