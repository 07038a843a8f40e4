import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { laid, listening, until } from '../../support/sync/laid.ts'
import { ranSync, syncProcess } from '../../support/sync/process.ts'

/** Before the connection to a silent redis would end by itself. */
const SOON = 15_000

describe('SY-EXIT-9 tars-admission sync as a process that is ended', { timeout: 60_000 }, () => {
  it.each([
    { name: 'during a check', more: 'check_cmd = "touch OUT/started; sleep 60"', target: 'absent' },
    {
      name: 'during a reload, which may end',
      more: 'reload_cmd = "touch OUT/started; sleep 1; touch OUT/over"',
      target: 'new',
    },
  ])('SY-EXIT-9 SIGTERM $name: code 0, nothing beside the target', async ({ more, target }) => {
    const { args, out, names } = laid(more)
    const running = syncProcess([...args, '-onetime'])
    await until(() => readdirSync(out).includes('started'))
    running.signal('SIGTERM')
    expect(await running.ended).toBe(0)
    expect(names()).toEqual(target === 'absent' ? ['started'] : ['a.conf', 'over', 'started'])
  })

  it.each([
    { name: 'a check', more: 'check_cmd = "trap : TERM; touch OUT/started; sleep 20; sleep 20"', args: ['-onetime'] },
    { name: 'a reload', more: 'reload_cmd = "touch OUT/started; exec sleep 20"', args: [] },
  ])('SY-EXIT-9 a second signal during $name ends it at once with 1', async ({ more, args: flags }) => {
    const { args, out } = laid(more)
    const running = syncProcess([...args, ...flags])
    await until(() => readdirSync(out).includes('started'))
    running.signal('SIGTERM')
    await until(() => running.err().includes('stopping'))
    running.signal('SIGTERM')
    expect(await running.ended).toBe(1)
  })

  it.each([
    { backend: 'etcd', flag: '-onetime' },
    { backend: 'etcd', flag: '-watch' },
    { backend: 'redis', flag: '-onetime' },
    { backend: 'redis', flag: '-watch' },
  ])(
    'SY-EXIT-9 SIGTERM while a $backend is silent, $flag: code 0, and the target stays',
    { timeout: SOON },
    async ({ backend, flag }) => {
      const found = laid()
      writeFileSync(join(found.out, 'a.conf'), 'last good')
      const asked = Promise.withResolvers<void>()
      const store = ['-backend', backend, '-node', await listening(() => asked.resolve()), '-backend-timeout', '50s']
      const running = syncProcess([...found.args.slice(0, 2), ...store, flag])
      await asked.promise
      running.signal('SIGTERM')
      expect(await running.ended).toBe(0)
      expect([found.content(), found.names()]).toEqual(['last good', ['a.conf']])
    },
  )

  it('SY-PIPE-12 killed between stage and swap, the next run ends with one file, one reload, and nothing beside it', async () => {
    const { args, out, names, content } = laid(
      'check_cmd = "touch OUT/started; test -e OUT/again || sleep 20"\nreload_cmd = "echo >> OUT/log"',
    )
    const running = syncProcess([...args, '-onetime'])
    await until(() => readdirSync(out).includes('started'))
    running.signal('SIGKILL')
    await running.ended
    expect(names()).toEqual([expect.stringMatching(/^\.a\.conf\.[\da-f]{12}$/), 'started'])
    writeFileSync(join(out, 'again'), '')
    expect((await ranSync([...args, '-onetime'])).code).toBe(0)
    expect(names()).toEqual(['a.conf', 'again', 'log', 'started'])
    expect([content(), readFileSync(join(out, 'log'), 'utf8')]).toEqual(['v=one\n', '\n'])
  })

  it('SY-FAIL-8 killed between swap and reload, the next run reloads once, and leaves nothing behind', async () => {
    const { args, out, names } = laid(
      'reload_cmd = "echo >> OUT/log; touch OUT/started; test -e OUT/again || sleep 20"',
    )
    const running = syncProcess([...args, '-onetime'])
    await until(() => readdirSync(out).includes('started'))
    running.signal('SIGKILL')
    await running.ended
    expect(names()).toEqual(['.a.conf.reload', 'a.conf', 'log', 'started'])
    writeFileSync(join(out, 'again'), '')
    expect((await ranSync([...args, '-onetime'])).code).toBe(0)
    expect(readFileSync(join(out, 'log'), 'utf8')).toBe('\n\n')
    expect(names()).not.toContain('.a.conf.reload')
  })
})
