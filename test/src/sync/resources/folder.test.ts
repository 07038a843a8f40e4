import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Files, FolderWalk } from '../../../../src/sync/host/files.ts'
import { realFiles } from '../../../../src/sync/host/real-files.ts'
import { walked } from '../../../../src/sync/host/walked.ts'
import { ONE, once, reasonsIn } from '../../../support/sync/once.ts'
import { aDaemon, aResource } from '../loop/daemon.ts'

const refusal = (code: string) => Object.assign(new Error('no'), { code })

/** A folder whose path is longer than the system takes: no user can read it. */
function unreadableFolderIn(folder: string): void {
  const name = '0'.repeat(250)
  const deep = `for i in $(seq 17); do mkdir ${name} && cd -P ./${name} || exit 1; done`
  execFileSync('sh', ['-c', deep], { cwd: folder })
  onTestFinished(() => void execFileSync('rm', ['-rf', name], { cwd: folder }))
}

describe('folders below conf.d', () => {
  it('SY-RES-1 are read in lexical order; what cannot be read is told of, what goes meanwhile is left out', async () => {
    const tree: Record<string, readonly string[] | Error> = {
      '': ['b', 'a/', 'gone/', '..data/'],
      a: ['secret/', 'c'],
      'a/secret': refusal('EACCES'),
      gone: refusal('ENOENT'),
    }
    const walk = await walked(async (below) => {
      const found = tree[below] ?? []
      if (found instanceof Error) throw found
      return found.map((name) => ({ name: name.replace('/', ''), isDirectory: () => name.endsWith('/') }))
    })
    expect(walk).toEqual({
      names: ['..data', 'a', 'a/c', 'a/secret', 'b', 'gone'],
      unreadable: [{ name: 'a/secret', error: refusal('EACCES') }],
    })
  })

  it('SY-FAIL-11 one that cannot be read is named with the remedy, and the resources beside it are passed', async () => {
    const { sync, folder, lines, content } = await once()
    unreadableFolderIn(`${folder}/conf.d`)
    expect(await sync.start()).toBe(1)
    expect(lines.filter(({ msg }) => msg === 'resource file cannot be used')).toEqual([
      expect.objectContaining({
        resource: expect.stringMatching(/^0{250}\/0/),
        reason: 'this folder cannot be read (ENAMETOOLONG); its path is too long: move it up',
      }),
    ])
    expect(content('a.conf')).toBe('v=1\n')
  })

  it('SY-FAIL-11 a link that leads back to itself is a resource that cannot be used', async () => {
    const { sync, folder, lines, content } = await once()
    symlinkSync('loop.toml', `${folder}/conf.d/loop.toml`)
    symlinkSync('.', `${folder}/conf.d/round`)
    expect(await sync.start()).toBe(1)
    expect(reasonsIn(lines, 'resource file cannot be used')).toEqual([
      'cannot be read (ELOOP); a link leads back to itself: remove it',
    ])
    expect(content('a.conf')).toBe('v=1\n')
  })

  it('SY-EXIT-6 conf.d itself: it ends with 1 and the remedy', async () => {
    const walk = () => Promise.reject(refusal('EACCES'))
    const { sync, folder, lines } = await once({ conf: ONE, host: { files: { ...realFiles, walk } } })
    expect(await sync.start()).toBe(1)
    expect(lines).toEqual([
      expect.objectContaining({
        path: `${folder}/conf.d`,
        reason: 'cannot be read (EACCES); give this user the right to read it, and to enter each folder of its path',
        msg: 'conf.d cannot be read',
      }),
    ])
  })
})

describe('SY-EXIT-4 a daemon, whose conf.d can be read no longer', () => {
  const CONF = { 'a.toml': aResource('a'), 'sub/b.toml': aResource('b') }
  const without: FolderWalk = { names: ['a.toml', 'sub'], unreadable: [{ name: 'sub', error: refusal('EACCES') }] }

  it.each<{ name: string; walk: Files['walk']; says: string }>([
    {
      name: 'in a folder below it',
      walk: async () => without,
      says: 'this folder cannot be read (EACCES); give this user the right',
    },
    {
      name: 'at all',
      walk: () => Promise.reject(refusal('EACCES')),
      says: 'cannot be read (EACCES); give this user the right',
    },
    { name: 'as it is gone', walk: async () => undefined, says: '' },
  ])('$name: what is known of it goes on, also of what cannot be read', async ({ walk, says }) => {
    const files = { ...realFiles }
    const { started, sync, store, within, content, lines } = await aDaemon({ conf: CONF, host: { files } })
    await started()
    files.walk = walk
    await sync.reread()
    const [{ reason = '' } = {}] = lines.filter(({ level }) => level === 'error')
    expect(reason).toContain(says)
    store.put({ '/a': '2', '/b': '2' })
    await within(1_000, () => content('a') === '2' && content('b') === '2')
    expect(sync.progress.waiting).toEqual([])
  })

  it('and can be read again: what is new in it is passed, by the first word of its folder', async () => {
    const files: Files = { ...realFiles, walk: async () => without }
    const { sync, within, content } = await aDaemon({
      conf: CONF,
      host: {
        files,
        follow: async (_folders, changed, signal) => {
          files.walk = realFiles.walk
          changed()
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
        },
      },
    })
    await sync.start()
    await within(1_000, () => content('a') === '1' && content('b') === '1')
  })
})
