import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { until } from '../cluster/until.ts'
import { folderOf } from '../support/folders.ts'
import { startEtcd } from './etcd.ts'
import { withUsers } from './etcd-users.ts'
import { startProduct } from './product.ts'
import { startRedis } from './redis.ts'

const ONE = { keys: ['/app'], template: '{{getv "/app/a" "none"}}' }

const childrenOf = (pid: number) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')

describe('sync beside a real etcd', () => {
  it('shows the next change within 45 s when its token has ended', async () => {
    const etcd = await startEtcd({ flags: ['--auth-token-ttl=2'] })
    await withUsers(etcd)
    const user = ['-username=app', '-password=secret']
    const args = ['-backend=etcdv3', `-node=${etcd.endpoint}`, '-watch', ...user]
    const product = await startProduct({ a: { ...ONE, keys: ['/app/'] } }, args)
    await sleep(3_500)
    const { token } = await etcd.ask('/v3/auth/authenticate', { name: 'root', password: 'root' })
    await etcd.put({ '/app/a': '2' }, token)
    await product.shows('a', '2')
    expect(JSON.stringify(product.log())).not.toContain('secret')
  })

  it('SY-FAIL-4 ends in the last of 1,000 values put in a row, with few reloads', async () => {
    const etcd = await startEtcd()
    const product = await startProduct({ a: { ...ONE, reload: 'echo reloaded >> {{targets}}/reloads' } }, [
      '-backend=etcdv3',
      `-node=${etcd.endpoint}`,
      '-watch',
    ])
    const began = performance.now()
    for (let value = 1; value <= 1_000; value++) await etcd.put({ '/app/a': String(value) })
    const seconds = (performance.now() - began) / 1_000
    await product.shows('a', '1000')
    const reloads = () => (product.target('reloads') ?? '').split('\n').length - 1
    await until('it has reloaded', () => product.log().every(({ level }) => level !== 'error') && reloads() > 0)
    await sleep(1_000)
    const first = 1 // that of the start
    expect(reloads() - first).toBeLessThanOrEqual(2 + seconds / 0.2)
  })

  it('SY-PIPE-2 no target mixes two revisions of one transaction', async () => {
    const etcd = await startEtcd()
    const pair = { keys: ['/pair'], template: '{{getv "/pair/a"}} {{getv "/pair/z"}}' }
    const both = (value: number) => ({ '/pair/a': String(value), '/pair/z': String(value) })
    await etcd.putTogether(both(0))
    const flags = ['-backend=etcdv3', `-node=${etcd.endpoint}`, '-watch', '-debounce=0']
    const product = await startProduct({ one: pair, two: pair }, flags)
    const seen = new Set<string>()
    const looking = setInterval(() => {
      for (const name of ['one', 'two']) seen.add(product.target(name) ?? 'missing')
    }, 1)
    for (let value = 1; value <= 500; value++) await etcd.putTogether(both(value))
    await product.shows('one', '500 500')
    await product.shows('two', '500 500')
    clearInterval(looking)
    const mixed = [...seen].filter((content) => content.split(' ')[0] !== content.split(' ')[1])
    expect(mixed).toEqual([])
    expect(seen.size).toBeGreaterThan(3)
  })
})

describe('SY-SEED-11 sync beside a real redis', () => {
  it('SY-TEST-3 shows each change of two resources whose keys have nothing in common', async () => {
    const redis = await startRedis()
    const resourceOf = (key: string) => ({ keys: [key], template: `{{getv "${key}" "none"}}` })
    const flags = ['-backend=redis', `-node=${redis.node}`, '-watch']
    const product = await startProduct({ one: resourceOf('/first/a'), two: resourceOf('/second/b') }, flags)
    for (const value of ['1', '2']) {
      await redis.ask('SET', '/first/a', value)
      await redis.ask('SET', '/second/b', value)
      await product.shows('one', value, 10)
      await product.shows('two', value, 10)
    }
  })

  it('SY-REDIS-9 polls every interval where it sends no events', async () => {
    const redis = await startRedis({ events: false })
    const product = await startProduct({ a: ONE }, ['-backend=redis', `-node=${redis.node}`, '-watch', '-interval=1'])
    await redis.ask('SET', '/app/a', '1')
    await product.shows('a', '1', 10)
    expect(product.log().filter(({ level }) => level === 'warn')).toHaveLength(1)
  })

  it('SY-REDIS-8 notices FLUSHDB, of which no word comes, with the next resync', async () => {
    const redis = await startRedis()
    await redis.ask('SET', '/app/a', '1')
    const product = await startProduct({ a: ONE }, ['-backend=redis', `-node=${redis.node}`, '-watch', '-interval=2'])
    await product.shows('a', '1')
    await redis.ask('FLUSHDB')
    await product.shows('a', 'none', 10)
  })
})

describe('sync beside files', () => {
  it('SY-FIT-7 one process serves all resources, and keeps nothing on the disk but their targets', async () => {
    const folder = folderOf({ 'values.yaml': 'app: {a: 1}' })
    const resources = { a: ONE, b: ONE, c: { ...ONE, check: 'true', reload: 'true' } }
    const product = await startProduct(resources, ['-backend=file', `-file=${folder}/values.yaml`, '-watch'])
    writeFileSync(join(folder, 'values.yaml'), 'app: {a: 2}')
    for (const name of ['a', 'b', 'c']) await product.shows(name, '2', 10)
    await until('its commands have ended', () => childrenOf(product.pid) === '')
    expect(readdirSync(product.targets).sort()).toEqual(['a', 'b', 'c'])
    expect(readdirSync(folder)).toEqual(['values.yaml'])
  })

  it('SY-FILE-6 shows each value of a file that is replaced, and of a volume whose link is moved', async () => {
    const folder = folderOf({ 'values.yaml': 'app: {a: 1}', '..first/more.yaml': 'app: {b: 1}' })
    symlinkSync('..first', join(folder, '..data'))
    symlinkSync('..data/more.yaml', join(folder, 'more.yaml'))
    const both = { keys: ['/app'], template: '{{getv "/app/a"}} {{getv "/app/b"}}' }
    const files = ['values.yaml', 'more.yaml'].map((name) => `-file=${join(folder, name)}`)
    const product = await startProduct({ a: both }, ['-backend=file', ...files, '-watch'])
    for (const value of ['2', '3']) {
      writeFileSync(join(folder, 'draft'), `app: {a: ${value}}`)
      renameSync(join(folder, 'draft'), join(folder, 'values.yaml'))
      mkdirSync(join(folder, `..next${value}`))
      writeFileSync(join(folder, `..next${value}`, 'more.yaml'), `app: {b: ${value}}`)
      symlinkSync(`..next${value}`, join(folder, '..data_tmp'))
      renameSync(join(folder, '..data_tmp'), join(folder, '..data'))
      await product.shows('a', `${value} ${value}`, 10)
    }
  })
})
