import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { isReady, laid, nonsense, until, WAIT } from '../../support/sync/laid.ts'
import { ranSync, syncProcess } from '../../support/sync/process.ts'

describe('SY-SEED-2 tars-admission sync as a process, once or until SIGINT or SIGTERM', { timeout: 60_000 }, () => {
  it('SY-EXIT-1 -onetime renders from files, prints nothing, and ends with 0', async () => {
    const { args, content, names } = laid()
    const { code, out } = await ranSync([...args, '-onetime'])
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(content()).toBe('v=one\n')
    expect(names()).toEqual(['a.conf'])
  })

  it('SY-ENV-1 -onetime renders from the environment', async () => {
    const { args, content } = laid()
    const { code } = await ranSync([...args.slice(0, 2), '-backend', 'env', '-onetime'], { K: 'two' })
    expect([code, content()]).toEqual([0, 'v=two\n'])
  })

  it.each([
    { args: ['-help'], code: 0, out: /^usage: tars-admission sync \[FLAGS\]\n {2}-backend/, err: /^$/ },
    { args: ['-version'], code: 0, out: /^tars-admission sync \d+\.\d+\.\d+ \(node \d/, err: /^$/ },
    { args: ['-nope'], code: 2, out: /^$/, err: /^tars-admission sync: flag provided but not defined: -nope\nusage: / },
    {
      args: ['-config-file', '/nowhere'],
      code: 1,
      out: /^$/,
      err: /^tars-admission sync: \/nowhere: there is no such file\n$/,
    },
    { args: ['-config', 'x'], code: 2, out: /^$/, err: /not defined: -config\n/ },
    { args: ['config', 'print'], code: 1, out: /^$/, err: /the confdir is missing/ },
  ])('SY-FIT-2 its words are those of confd: $args ends with $code', async ({ args, code, out, err }) => {
    const env = { CONFD_CONFDIR: '/nowhere', CONFD_ONETIME: 'true', TARS_ADMISSION_PORT: 'nonsense' }
    const ran = await ranSync(args, env)
    expect(ran.code).toBe(code)
    expect(ran.out).toMatch(out)
    expect(ran.err).toMatch(err)
  })

  it('an address that is taken ends it with 1, never with 3', async () => {
    const { args } = laid()
    const { code, err } = await ranSync([...args, '-onetime', '-health-addr', '192.0.2.1:1'])
    expect(code).toBe(1)
    expect(err).toContain('192.0.2.1 is no address of this machine: --health-addr names another')
  })

  it('6.2 a daemon says that it is ready, and answers on its address', async () => {
    const { args, content } = laid()
    const running = syncProcess([...args, '-interval', '1', '-health-addr', '127.0.0.1:0'])
    await isReady(running)
    const line = JSON.parse(running.out())
    expect(line).toEqual({ event: 'ready', resources: 1, health: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) })
    expect(content()).toBe('v=one\n')
    const get = async (path: string) => {
      const answer = await fetch(line.health + path)
      return { status: answer.status, text: await answer.text() }
    }
    expect(await get('/livez')).toEqual({ status: 200, text: 'ok' })
    expect(await get('/readyz')).toEqual({ status: 200, text: '{"ready":true,"waiting":[],"failing":[]}' })
    expect((await get('/metrics')).text).toContain('tars_sync_resource_up{resource="a.toml"} 1')
    running.signal('SIGTERM')
    expect(await running.ended).toBe(0)
  })

  it('6.2 one that waits says for what', async () => {
    const { args } = laid('', '{{getv "/gone"}}')
    const running = syncProcess([...args, '-interval', '1', '-health-addr', '127.0.0.1:18099'])
    const answer = await vi.waitFor(async () => {
      const found = await fetch('http://127.0.0.1:18099/readyz')
      const text = await found.text()
      expect(text).toContain('key does not exist')
      return { status: found.status, text }
    }, WAIT)
    expect(answer.status).toBe(503)
    expect(running.out()).toBe('')
  })

  it('SY-PIPE-14 without -watch it asks again after each interval', async () => {
    const { args, content, path } = laid()
    const running = syncProcess([...args, '-interval', '1'])
    await isReady(running)
    writeFileSync(path('values.yaml'), 'k: two')
    await until(() => content() === 'v=two\n')
    expect(running.err()).not.toContain('two')
  })

  it('SY-EXIT-10 SIGHUP reads conf.d and templates again', async () => {
    const { args, content, path } = laid()
    const running = syncProcess(args)
    await isReady(running)
    writeFileSync(path('templates/a'), 'new={{getv "/k"}}\n')
    running.signal('SIGHUP')
    await until(() => content() === 'new=one\n')
    running.signal('SIGINT')
    expect(await running.ended).toBe(0)
  })

  it('SY-RES-5 a change of a template or of conf.d is answered without a signal', async () => {
    const { args, content, path, out } = laid()
    const running = syncProcess(args)
    await isReady(running)
    writeFileSync(path('templates/a'), 'new={{getv "/k"}}\n')
    await until(() => content() === 'new=one\n')
    writeFileSync(path('conf.d/b.toml'), `[template]\nsrc = "a"\ndest = "${out}/b"\nkeys = ["/k"]\n`)
    await until(() => readdirSync(out).includes('b'))
    running.signal('SIGTERM')
    expect(await running.ended).toBe(0)
  })

  it.each([
    { backend: 'etcd', args: ['-onetime'], code: 1 },
    { backend: 'etcd', args: ['-watch'], code: 0 },
    { backend: 'redis', args: ['-onetime'], code: 1 },
    { backend: 'redis', args: ['-watch'], code: 0 },
  ])('SY-FAIL-6 a $backend that answers nonsense to $args: the target stays', async ({ backend, args, code }) => {
    const found = laid('', '{{getv "/k" "none"}}')
    writeFileSync(join(found.out, 'a.conf'), 'last good')
    const store = ['-backend', backend, '-node', await nonsense(), '-backend-timeout', '300ms']
    const running = syncProcess([...found.args.slice(0, 2), ...store, ...args])
    await until(() => running.err().split('store cannot be read').length > 2)
    if (code === 0) running.signal('SIGTERM')
    expect(await running.ended).toBe(code)
    expect([found.content(), found.names()]).toEqual(['last good', ['a.conf']])
    expect(running.err()).not.toContain('nonsense')
  })

  it.each(['debug', 'info', 'warn', 'error', 'panic'])(
    'SY-CLI-13 at level %s no form of a value is in the log',
    async (level) => {
      const { args } = laid(
        'check_cmd = "cat {{.src}}; base64 {{.src}}; od -An -tx1 {{.src}}; fold -w3 {{.src}}; rev {{.src}}; false"',
      )
      const value = 'Zq7vKx2mWp9'
      const { code, err } = await ranSync([...args.slice(0, 2), '-backend', 'env', '-onetime', '-log-level', level], {
        K: value,
      })
      expect(code).toBe(1)
      const forms = [value.slice(0, 3), '5a 71 37', Buffer.from(`v=${value}`).toString('base64').slice(0, 8), '9pW']
      expect(forms.filter((form) => err.includes(form))).toEqual([])
      expect(err.includes('Config check failed')).toBe(level !== 'panic')
    },
  )
})
