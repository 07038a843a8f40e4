import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Host } from '../../../../src/sync/host/host.ts'
import { realFiles } from '../../../../src/sync/host/real-files.ts'
import { aDaemon, aResource } from './daemon.ts'

describe('SY-RES-5 SY-EXIT-10 conf.d is read again', () => {
  it('when its folders say so; and they are followed again when that fails', async () => {
    const calls: {
      readonly folders: readonly string[]
      readonly changed: () => void
      readonly fail: (why: unknown) => void
    }[] = []
    const follow: Host['follow'] = (folders, changed, signal) =>
      new Promise((resolve, reject) => {
        calls.push({ folders, changed, fail: reject })
        signal.addEventListener('abort', () => resolve())
        changed()
      })
    const { started, within, lay, content, folder } = await aDaemon({ host: { follow } })
    await started()
    expect(calls.map(({ folders }) => folders)).toEqual([[`${folder}/conf.d`, `${folder}/templates`]])
    lay('templates/a', 'new')
    calls[0]?.changed()
    await within(100, () => content('a') === 'new')
    calls[0]?.fail(new Error('gone'))
    lay('templates/a', 'newer')
    await within(500, () => content('a') === 'newer')
    expect(calls).toHaveLength(2)
  })

  it.each(['before the first read', 'during it'])('what changes in them %s counts', async (when) => {
    let lay = () => {}
    const files = { ...realFiles }
    const { started, layResource, content, within } = await aDaemon({
      host: {
        files,
        follow: async (_, changed, signal) => {
          if (when === 'before the first read') lay()
          else files.walk = duringTheNext(changed)
          changed()
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
        },
      },
    })
    const duringTheNext = (changed: () => void) => async (folder: string) => {
      files.walk = realFiles.walk
      const walk = await realFiles.walk(folder)
      lay()
      changed()
      return walk
    }
    lay = () => layResource('b.toml', aResource('b'))
    await started()
    await within(100, () => content('b') === '1')
  })

  it('new resources are passed, those that are gone are left alone, and the watch follows the keys', async () => {
    const { started, store, sync, within, layResource, content, quietly, metric } = await aDaemon()
    await started()
    layResource('b.toml', aResource('b'))
    layResource('a.toml', 'src = "a"\ndest = "OUT/other"\nkeys = ["/a"]')
    await sync.reread()
    await within(10, () => content('b') === '1' && content('other') === '1')
    await quietly(1_000)
    store.put({ '/a': '2' })
    await within(300, () => content('other') === '2')
    expect(content('a')).toBe('1')
    expect(store.watches.map((keys) => keys.length)).toEqual([1, 2])
    expect(store.watchers).toBe(1)
    expect((await metric('resource_up')).filter((line) => line.endsWith(' 1'))).toHaveLength(2)
  })

  it('SY-EXIT-4 a file that cannot be used keeps the others going, and itself from being ready', async () => {
    const { started, store, sync, within, lay, content, quietly, metric, folder } = await aDaemon()
    await started()
    lay('conf.d/b.toml', 'nonsense')
    await sync.reread()
    await quietly(10)
    store.put({ '/a': '2' })
    await within(300, () => content('a') === '2')
    expect(sync.progress.waiting).toEqual([{ resource: 'b.toml', reason: expect.stringMatching(/^is no TOML/) }])
    expect(await metric('resource_up')).toContain('tars_sync_resource_up{resource="b.toml"} 0')
    rmSync(join(folder, 'conf.d/b.toml'))
    await sync.reread()
    expect((await metric('resource_up')).join()).not.toContain('b.toml')
  })
})
