import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../../../src/sync/stores/redis/connection.ts'
import { namesBy } from '../../../../../src/sync/stores/redis/names.ts'
import { valuesOf } from '../../../../../src/sync/stores/redis/reading.ts'
import { aKey } from '../../../../support/builders/keys.ts'

type Script = Readonly<Record<string, (...words: readonly string[]) => Answer>>

/** A redis that answers by this script, and what it was asked. */
function read(keys: readonly string[], script: Script) {
  const asked: string[] = []
  const send = async (...words: readonly string[]) => {
    asked.push(words.join(' '))
    const [command = '', ...args] = words
    return script[command]?.(...args) ?? null
  }
  const snapshot = valuesOf(keys.map(aKey), { send, names: namesBy(''), skipped: () => {} })
  return { asked, values: snapshot.then(({ values }) => Object.fromEntries(values)) }
}

const NONE = () => 'none'

describe('a read of redis', () => {
  it('SY-REDIS-5 walks once for all keys that need their children, from what their names have in common', async () => {
    const { asked, values } = read(['/app/one', '/app/two'], { TYPE: NONE, SCAN: () => ['0', []] })
    await values
    expect(asked.filter((each) => each.startsWith('SCAN'))).toEqual(['SCAN 0 MATCH /app/* COUNT 1000'])
  })

  it('SY-REDIS-5 takes what a walk finds twice once, and leaves out what belongs to no key', async () => {
    const steps = [
      ['7', ['/app/a', '/app/b']],
      ['0', ['/app/b', '/app-x', '/app/gone']],
    ]
    const { asked, values } = read(['/app'], {
      TYPE: (name) => (name === '/app' || name === '/app/gone' ? 'none' : 'string'),
      SCAN: () => steps.shift() ?? null,
      STRLEN: () => 1,
      GET: (name = '') => name.slice(-1),
    })
    expect(await values).toEqual({ '/app/a': 'a', '/app/b': 'b' })
    expect(asked.filter((each) => each === 'GET /app/b')).toHaveLength(1)
  })

  it('a key that is gone between two commands has no value', async () => {
    const { values } = read(['/a'], { TYPE: () => 'string', STRLEN: () => 0, GET: () => null })
    expect(await values).toEqual({})
  })

  it('refuses more than 64 MiB before it fetches them', async () => {
    const { asked, values } = read(['/a', '/b'], { TYPE: () => 'string', STRLEN: () => 40_000_000, GET: () => 'x' })
    await expect(values).rejects.toMatchObject({ code: 'STORE_ANSWER' })
    expect(asked.filter((each) => each.startsWith('GET'))).toEqual([])
  })

  it.each([
    { name: 'a walk that does not end', scan: () => ['5', []] },
    { name: 'a walk without a cursor', scan: () => [null, []] },
    { name: 'a walk that finds no names', scan: () => ['0', [1]] },
    { name: 'a walk that is a number', scan: () => 7 },
  ] satisfies { name: string; scan: () => Answer }[])('refuses $name', async ({ scan }) => {
    const { values } = read(['/a'], { TYPE: NONE, SCAN: scan })
    await expect(values).rejects.toMatchObject({ code: 'STORE_ANSWER', retry: false })
  })
})
