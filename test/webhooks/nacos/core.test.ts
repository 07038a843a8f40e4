import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsIn } from '../../../.config/breaches.ts'

/** What the specification calls the core, by the files that have it. */
const CORE = [
  { name: 'merge', file: 'config/merge.ts' },
  { name: 'parseProperties', file: 'config/entries.ts' },
  { name: 'lint', file: 'config/lint.ts' },
  { name: 'digest', file: 'config/digest.ts' },
  { name: 'protectedMatch', file: 'config/protected.ts' },
  { name: 'buildStatefulSet', file: 'nacos/objects/stateful-set.ts' },
  { name: 'buildServices', file: 'nacos/objects/services.ts' },
  { name: 'computePhase', file: 'nacos/status/phase.ts' },
]
/** What computes and nothing else. */
const PURE = ['properties-file/parser', 'node:crypto', 'node:zlib', 'node:util', 'ajv', 'fast-json-patch']
/** What is not imported, and yet not the same each time. */
const OUTSIDE =
  /\b(fetch|setTimeout|setInterval|setImmediate)\(|\bprocess\.\w|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b/

const withoutTypes = (text: string) => text.replaceAll(/^(?:import|export) type [^'"]+['"][^'"]+['"]/gm, '')

/** A file and all that it loads. */
function loadedBy(file: string, loaded = new Map<string, string>()): ReadonlyMap<string, string> {
  if (loaded.has(file)) return loaded
  const text = withoutTypes(readFileSync(file, 'utf8'))
  loaded.set(file, text)
  for (const each of importsIn(text)) if (each.startsWith('.')) loadedBy(posix.join(posix.dirname(file), each), loaded)
  return loaded
}

describe('NC-MOD-03 the core only computes', () => {
  it.each(CORE)('$name reaches no file, no network, no clock and no other process', ({ file }) => {
    const loaded = loadedBy(`webhooks/nacos/${file}`)
    const packages = [...loaded.values()].flatMap(importsIn).filter((each) => !each.startsWith('.'))
    expect(packages.filter((each) => !PURE.includes(each))).toEqual([])
    expect([...loaded].filter(([, text]) => OUTSIDE.test(text)).map(([name]) => name)).toEqual([])
  })

  it('what reaches further is found', () => {
    const packages = [...loadedBy('src/cluster/kube/wire/connection.ts').values()].flatMap(importsIn)
    expect(packages).toContain('node:https')
    expect(OUTSIDE.test('const now = Date.now()')).toBe(true)
  })
})
