import { describe, expect, it } from 'vitest'
import { collapsed } from '../../../../src/sync/keys.ts'
import { SnapshotValues } from '../../../../src/sync/pass/values.ts'
import { envStore } from '../../../../src/sync/stores/env.ts'
import { aKey } from '../../../support/builders/keys.ts'

const ENV = { DB_HOST: 'h', DB_MAX_CONNS: '5', DBX: 'no', DB: 'top', GONE: undefined, NAME: 'é' }
const NEVER = new AbortController().signal

/** What a resource with these keys sees; others read at the same time. */
async function readOf(keys: readonly string[], others: readonly string[] = []) {
  const store = envStore(() => ENV)
  const read = await store.read(collapsed([...keys, ...others].map(aKey)), NEVER)
  return Object.fromEntries(new SnapshotValues(read, store).under(keys.map(aKey)))
}

describe('the backend env', () => {
  it.each([
    {
      name: 'SY-ENV-1 a key takes the variables that begin with its name, in lower case',
      keys: ['/db'],
      values: { '/db': 'top', '/db/host': 'h', '/db/max/conns': '5' },
    },
    {
      name: 'SY-ENV-2 a variable of just that name stands under the key as well',
      keys: ['/db/max_conns'],
      values: { '/db/max/conns': '5', '/db/max_conns': '5' },
    },
    {
      name: 'SY-ENV-1 a key has no letter case, and its underscore is a slash of what is below it',
      keys: ['/Db_Max'],
      values: { '/db/max/conns': '5' },
    },
    {
      name: 'SY-BE-5 the boundary is an underscore, so DBX is no DB',
      keys: ['/db/'],
      values: { '/db/host': 'h', '/db/max/conns': '5' },
    },
    {
      name: 'SY-ENV-3 the key / takes the whole environment',
      keys: ['/'],
      values: {
        '/db': 'top',
        '/db/host': 'h',
        '/db/max/conns': '5',
        '/dbx': 'no',
        '/name': 'Ã©',
      },
    },
    { name: 'what is not there is no value', keys: ['/gone', '/nope'], values: {} },
  ])('$name', async ({ keys, values }) => {
    expect(await readOf(keys)).toEqual(values)
  })

  it('SY-ENV-2 also if another key covers it; and for no other resource', async () => {
    const values = { '/db': 'top', '/db/host': 'h', '/db/max/conns': '5' }
    expect(await readOf(['/db', '/db/max_conns'])).toEqual({ ...values, '/db/max_conns': '5' })
    expect(await readOf(['/db'], ['/db/max_conns'])).toEqual(values)
  })

  it('SY-ENV-3 is read again at each pass, and cannot be watched (SY-CLI-12)', async () => {
    let env = { A: '1' }
    const store = envStore(() => env)
    const valuesOf = async () => [...(await store.read([aKey('/a')], NEVER)).values]
    expect(await valuesOf()).toEqual([['/a', '1']])
    env = { A: '2' }
    expect(await valuesOf()).toEqual([['/a', '2']])
    await expect(store.watch([aKey('/a')], () => {}, NEVER)).rejects.toMatchObject({ code: 'STORE_SENDS_NO_CHANGES' })
    await store.close()
  })
})
