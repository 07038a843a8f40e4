import { posix } from 'node:path'
import { IMPORTS, type Row } from './imports.ts'

/** The row of a file, with the name that its first `*` stands for. */
interface Match {
  readonly row: Row
  readonly name: string
}

/** The forbidden imports of a file, as its import lines write them. */
export function breachesIn(file: string, text: string): readonly string[] {
  const match = rowOf(file)
  if (match === undefined) return ['(no row of .config/imports.ts is for this file)']
  return importsIn(text).filter((specifier) => !isAllowed(specifier, file, match))
}

function rowOf(file: string): Match | undefined {
  const matches = IMPORTS.flatMap((row) => {
    const found = patternOf(row.of).exec(file)
    return found === null ? [] : [{ row, name: found[1] ?? '' }]
  })
  return matches.sort((one, other) => other.row.of.length - one.row.of.length)[0]
}

function isAllowed(specifier: string, file: string, { row, name }: Match): boolean {
  if (!specifier.startsWith('.')) return (row.uses ?? []).some((each) => isPackage(specifier, each))
  const target = posix.join(posix.dirname(file), specifier)
  const own = row.of.endsWith('/') ? [`${posix.dirname(file).split('/').slice(0, depthOf(row)).join('/')}/`] : []
  return [...own, ...row.may].some((each) => patternOf(each.replace('$1', name)).test(target))
}

const depthOf = ({ of }: Row) => of.split('/').length - 1

function isPackage(specifier: string, name: string): boolean {
  return name.endsWith('*') ? specifier.startsWith(name.slice(0, -1)) : `${specifier}/`.startsWith(`${name}/`)
}

function patternOf(path: string): RegExp {
  const source = path.replaceAll('.', '\\.').replaceAll('*', '([^/]+)')
  return new RegExp(path.endsWith('/') ? `^${source.slice(0, -1)}(?:/|$)` : `^${source}$`)
}

/** Static and dynamic imports, and what is exported from elsewhere. */
export function importsIn(text: string): readonly string[] {
  const found = withoutComments(text).matchAll(
    /^(?:import|export)\s[\w\s{},*$]*['"`]([^'"`]+)['"`]|\bimport\(\s*['"`]([^'"`]+)['"`]/gm,
  )
  return [...found].map(([, written, loaded]) => written ?? loaded ?? '')
}

/** A string stays as it is: one with a glob may look like a comment. */
function withoutComments(text: string): string {
  return text.replaceAll(
    /('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|\/\*.*?\*\/|\/\/[^\n]*/gs,
    (_, kept) => kept ?? ' ',
  )
}
