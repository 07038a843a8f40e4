import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Declared {
  readonly name: string
  readonly file: string
  readonly isExported: boolean
}

const FILES = globSync('{src,webhooks,certs}/**/*.ts')
const DECLARATION = /^ *(export )?(?:declare )?(?:abstract )?(?:class|enum|interface|type) ([A-Za-z]\w*)(?=[ <])/gm

const isOfSync = (file: string) => file.startsWith('src/sync/')
const DECLARED = FILES.flatMap((file) => declaredIn(file, readFileSync(file, 'utf8')))

describe('an exported name of a type stands for one type', () => {
  it.each([
    { name: 'in all of src, webhooks and certs but sync', isOf: (file: string) => !isOfSync(file) },
    { name: 'in sync, which has no word in common with the others', isOf: isOfSync },
  ])('$name', ({ isOf }) => {
    const declared = DECLARED.filter(({ file }) => isOf(file))
    expect(declared.filter(({ isExported }) => isExported).length).toBeGreaterThan(50)
    expect(taken(declared)).toEqual([])
  })

  it.each([
    'export interface Kind {}',
    'export type Kind = string',
    'export type Kind<T> = T',
    'export abstract class Kind<T> extends Map {}',
    'interface Kind {}',
    'type Kind = string',
  ])('a second Kind is found: %s', (text) => {
    const planted = declaredIn('src/planted.ts', text)
    expect(taken([...DECLARED, ...planted])).toContain('Kind: src/kind.ts, src/planted.ts')
  })

  it('two local types may share a name that no file exports', () => {
    const text = 'interface Planted {}'
    expect(taken([...declaredIn('src/one.ts', text), ...declaredIn('src/other.ts', text)])).toEqual([])
  })
})

function declaredIn(file: string, text: string): readonly Declared[] {
  return [...text.matchAll(DECLARATION)].map(([, exported, name = '']) => ({
    name,
    file,
    isExported: exported !== undefined,
  }))
}

function taken(declared: readonly Declared[]): readonly string[] {
  const byName = Object.groupBy(declared, ({ name }) => name)
  return Object.entries(byName).flatMap(([name, all = []]) => {
    const files = [...new Set(all.map(({ file }) => file))]
    return files.length > 1 && all.some(({ isExported }) => isExported) ? [`${name}: ${files.join(', ')}`] : []
  })
}
