import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PasswordPool, type PoolOptions } from '../../../../src/remote/passwords/pool.ts'

/** Cheap enough to wait for, and of a cost that takes a while. */
const CHEAP = 4
const DEAR = 10
const POOL = new URL('../../../../src/remote/passwords/pool.ts', import.meta.url).href

/** Ends when it is told to, in either way or behind its answer; repeats everything else. */
const FRAIL = new URL(
  `data:text/javascript,import { parentPort } from 'node:worker_threads'
  parentPort.on('message', ({ text }) => {
    if (text === 'throw') throw new Error('broken')
    if (text === 'exit') process.exit(1)
    if (text !== 'hang') parentPort.postMessage(text)
    if (text === 'leave') setTimeout(() => process.exit(1), 5)
  })`.replaceAll('\n', '%0A'),
)

function pool(options?: PoolOptions): PasswordPool {
  const made = new PasswordPool(options)
  onTestFinished(() => made.stop())
  return made
}

describe('a pool of threads that hash', () => {
  it('gives bcrypt under the prefix that TarsK8S knows, of the cost that is asked', async () => {
    const hash = await pool().hash('f4a69973e7b0bf9d160f9f60e3c3acd2494beb0d', DEAR)
    expect(hash).toMatch(/^\$2a\$10\$[./0-9A-Za-z]{53}$/)
  })
  it('gives another hash each time, and knows the text behind each', async () => {
    const passwords = pool()
    const hashes = await Promise.all([1, 2, 3].map(() => passwords.hash('text', CHEAP)))
    expect(new Set(hashes).size).toBe(3)
    expect(await Promise.all(hashes.map((hash) => passwords.verify('text', hash)))).toEqual([true, true, true])
    expect(await passwords.verify('other', hashes[0] ?? '')).toBe(false)
  })
  it.each(['$2a$', '$2b$', '$2y$'])('knows a hash by the prefix %s', async (prefix) => {
    const passwords = pool()
    const hash = await passwords.hash('text', CHEAP)
    expect(await passwords.verify('text', hash.replace('$2a$', prefix))).toBe(true)
  })
  it('leaves the event loop to others', async () => {
    const hashing = pool({ threads: 1 })
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    await hashing.hash('text', DEAR)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(10)
  })
})

describe('what is too much for it (SV-12)', () => {
  it('is sent away at once, and what waits is done', async () => {
    const passwords = pool({ threads: 1, waiting: 2 })
    const taken = [1, 2, 3].map(() => passwords.hash('text', CHEAP))
    await expect(passwords.hash('text', CHEAP)).rejects.toMatchObject({ code: 'OVERLOADED', retry: true, status: 429 })
    expect(await Promise.all(taken)).toHaveLength(3)
    expect(await passwords.hash('text', CHEAP)).toHaveLength(60)
  })
  it('is more than 32 that wait, unless somebody says otherwise', async () => {
    const passwords = pool({ threads: 1, entry: FRAIL })
    const all = Array.from({ length: 34 }, () => passwords.hash('hang', CHEAP))
    await expect(all.at(-1)).rejects.toMatchObject({ code: 'OVERLOADED' })
    await Promise.all([passwords.stop(), ...all.slice(0, -1).map((each) => expect(each).rejects.toThrow('has ended'))])
  })
  it('is told as a depth, which comes down again', async () => {
    const depths: number[] = []
    const passwords = pool({ threads: 1, depthChanged: (depth) => depths.push(depth) })
    await Promise.all([passwords.hash('a', CHEAP), passwords.hash('b', CHEAP)])
    expect(Math.max(...depths)).toBe(2)
    expect(depths.at(-1)).toBe(0)
  })
})

describe('who does not wait any more', () => {
  it('gives its place to the next', async () => {
    const passwords = pool({ threads: 1, waiting: 1 })
    const gone = new AbortController()
    const first = passwords.hash('first', CHEAP)
    const second = passwords.hash('second', CHEAP, gone.signal)
    gone.abort()
    await expect(second).rejects.toMatchObject({ code: 'DEADLINE' })
    expect(await Promise.all([first, passwords.hash('third', CHEAP)])).toHaveLength(2)
  })
  it('takes nothing from a thread that is at it already', async () => {
    const gone = new AbortController()
    const hashing = pool({ threads: 1 }).hash('text', CHEAP, gone.signal)
    gone.abort()
    expect(await hashing).toHaveLength(60)
  })
})

describe('a thread that ends', () => {
  const LOST = { code: 'THREAD_LOST', retry: true, message: 'the thread that hashes passwords has ended' }

  it.each(['throw', 'exit'])('by %s loses what it was at, and another goes on with the rest', async (end) => {
    const passwords = pool({ threads: 1, entry: FRAIL })
    const dead = passwords.hash(end, CHEAP)
    const next = passwords.hash('next', CHEAP)
    await expect(dead).rejects.toMatchObject(LOST)
    expect(await next).toBe('next')
  })
  it('while it has nothing to do is not asked again', async () => {
    const passwords = pool({ threads: 1, entry: FRAIL })
    const started = once(process, 'worker')
    const answer = passwords.hash('leave', CHEAP)
    const [thread] = await started
    const ended = once(thread, 'exit')
    expect(await answer).toBe('leave')
    await ended
    expect(await passwords.hash('next', CHEAP)).toBe('next')
  })
  it('as soon as it starts loses one after the other, and nobody waits for ever', async () => {
    const passwords = pool({ threads: 1, entry: new URL('data:text/javascript,process.exit(1)') })
    const all = [1, 2, 3].map(() => passwords.hash('text', CHEAP))
    await Promise.all(all.map((each) => expect(each).rejects.toMatchObject(LOST)))
  })
  it('because the pool is stopped loses everything, and no other starts', async () => {
    const passwords = pool({ threads: 1, entry: FRAIL })
    const all = ['hang', 'waits'].map((text) => passwords.hash(text, CHEAP))
    const reported = Promise.all(all.map((each) => expect(each).rejects.toMatchObject(LOST)))
    await passwords.stop()
    await reported
    await expect(passwords.hash('late', CHEAP)).rejects.toMatchObject(LOST)
  })
})

it('a process waits for a hash, and for the next on the same thread, and not for a thread that has nothing to do', async () => {
  const script = `import { PasswordPool } from ${JSON.stringify(POOL)}
    const passwords = new PasswordPool({ threads: 1 })
    const hashes = [await passwords.hash('text', 4), await passwords.hash('next', 4)]
    process.stdout.write(hashes.map(({ length }) => length).join())`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  expect(stdout).toBe('60,60')
})
