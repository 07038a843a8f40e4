import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The programs that come from packages of Debian, by name, and the package of each. */
const PACKAGES = { 'redis-server': 'redis-server', nginx: 'nginx-light' } as const
export type Program = keyof typeof PACKAGES

const PROGRAMS: readonly Program[] = ['redis-server', 'nginx']
/** nginx is where only root looks. */
const SYSTEM = ['/usr/sbin', '/usr/local/sbin']

/** The path of each; throws what is missing and how to get it. */
export function debianPrograms({
  path = process.env.PATH ?? '',
  system = SYSTEM,
} = {}): Readonly<Record<Program, string>> {
  const folders = [...path.split(delimiter), ...system].filter(Boolean)
  const found = PROGRAMS.map((name) => [name, folders.map((each) => join(each, name)).find(isProgram)] as const)
  const missing = found.flatMap(([name, file]) => (file === undefined ? [name] : []))
  if (missing.length > 0) throw new Error(gettingThem(missing))
  const [redis = '', nginx = ''] = found.map(([, file]) => file)
  return { 'redis-server': redis, nginx }
}

function gettingThem(missing: readonly Program[]): string {
  const packages = missing.map((name) => PACKAGES[name]).join(' ')
  return `there is no ${missing.join(' and no ')} here: apt-get install ${packages} (the tests start them on free ports)`
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
