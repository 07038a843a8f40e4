import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { watchSources } from '../../../../../src/sync/stores/file/watching.ts'
import { systemClock } from '../../../../../src/timing/clock.ts'
import { until } from '../../../../cluster/until.ts'
import { folderOf } from '../../../../support/folders.ts'

/** Counts what a watch of these tells, until the test ends. */
async function watching(...files: readonly string[]) {
  const ending = new AbortController()
  const seen = { changes: 0 }
  const changed = () => void seen.changes++
  const watch = watchSources({ files, filter: '*.yaml', clock: systemClock, changed, signal: ending.signal })
  onTestFinished(async () => {
    ending.abort()
    await watch
  })
  await until('it listens', () => seen.changes === 1, { seconds: 5 })
  let told = 1
  return {
    async tells(what: string) {
      await until(what, () => seen.changes > told, { seconds: 5 })
      told = seen.changes
    },
    async staysQuiet() {
      await sleep(300)
      expect(seen.changes).toBe(told)
    },
  }
}

describe('SY-FILE-6 a watch of files', () => {
  it('SY-FILE-5 tells of a file that is written, replaced, removed and made again', async () => {
    const folder = folderOf({ 'a.yaml': 'a: 1' })
    const [file, draft] = [join(folder, 'a.yaml'), join(folder, 'draft')]
    const watch = await watching(file)
    writeFileSync(file, 'a: 2')
    await watch.tells('written')
    for (const value of ['3', '4']) {
      writeFileSync(draft, `a: ${value}`)
      renameSync(draft, file)
      await watch.tells(`replaced by ${value}`)
    }
    rmSync(file)
    await watch.tells('removed')
    writeFileSync(file, 'a: 5')
    await watch.tells('made again')
  })

  it('keeps quiet about what changes nothing', async () => {
    const folder = folderOf({ 'a.yaml': 'a: 1' })
    const watch = await watching(join(folder, 'a.yaml'))
    writeFileSync(join(folder, 'a.yaml'), 'a: 1')
    writeFileSync(join(folder, 'other.yaml'), 'a: 1')
    await watch.staysQuiet()
  })

  it('tells of each change of a mounted volume, whose link is moved to another folder', async () => {
    const volume = folderOf({ '..first/a.yaml': 'a: 1' })
    symlinkSync('..first', join(volume, '..data'))
    symlinkSync(join('..data', 'a.yaml'), join(volume, 'a.yaml'))
    const outside = folderOf()
    symlinkSync(join(volume, 'a.yaml'), join(outside, 'linked.yaml'))
    const watches = [
      await watching(join(volume, 'a.yaml')),
      await watching(volume),
      await watching(join(outside, 'linked.yaml')),
    ]
    for (const next of ['..second', '..third', '..fourth']) {
      const [before] = readdirSync(volume).filter((name) => name.startsWith('..') && name !== '..data')
      mkdirSync(join(volume, next))
      writeFileSync(join(volume, next, 'a.yaml'), `a: ${next}`)
      symlinkSync(next, join(volume, '..data_tmp'))
      renameSync(join(volume, '..data_tmp'), join(volume, '..data'))
      if (next !== '..third') rmSync(join(volume, before ?? ''), { recursive: true })
      for (const watch of watches) await watch.tells(next)
    }
  })

  it('tells of what is below a folder, also in folders that come later, by the filter', async () => {
    const folder = folderOf({ 'deep/a.yaml': 'a: 1' })
    const watch = await watching(folder)
    writeFileSync(join(folder, 'deep/a.yaml'), 'a: 2')
    await watch.tells('in a folder')
    mkdirSync(join(folder, 'new/deeper'), { recursive: true })
    writeFileSync(join(folder, 'new/deeper/b.yaml'), 'b: 1')
    await watch.tells('in a new folder')
    writeFileSync(join(folder, 'new/deeper/b.yaml'), 'b: 2')
    await watch.tells('again there')
    writeFileSync(join(folder, 'new/deeper/b.txt'), 'b: 2')
    await watch.staysQuiet()
  })

  it('tells of a folder that is removed and comes back', async () => {
    const place = folderOf({ 'source/a.yaml': 'a: 1' })
    const folder = join(place, 'source')
    const watch = await watching(folder)
    for (const value of ['2', '3']) {
      rmSync(folder, { recursive: true })
      await watch.tells('it is gone')
      mkdirSync(folder)
      writeFileSync(join(folder, 'a.yaml'), `a: ${value}`)
      await watch.tells('it is back')
      writeFileSync(join(folder, 'a.yaml'), `a: ${value}0`)
      await watch.tells('and is heard again')
    }
  })

  it('tells of a link that is moved to another folder, and of what happens there', async () => {
    const place = folderOf({ 'one/a.yaml': 'a: 1', 'two/a.yaml': 'a: 2' })
    const link = join(place, 'link')
    symlinkSync('one', link)
    const watch = await watching(link)
    symlinkSync('two', join(place, 'draft'))
    renameSync(join(place, 'draft'), link)
    await watch.tells('moved')
    writeFileSync(join(place, 'two/a.yaml'), 'a: 3')
    await watch.tells('written there')
  })

  it('ends where there is no folder to listen to, so that it is begun again after a pause', async () => {
    const missing = join(folderOf(), 'none', 'a.yaml')
    const { signal } = new AbortController()
    const watch = watchSources({ files: [missing], filter: '*', clock: systemClock, changed: () => {}, signal })
    await expect(watch).rejects.toMatchObject({ code: 'STORE_UNREACHABLE', retry: true })
    await expect(watch).rejects.toThrow('none cannot be followed: ENOENT')
  })
})
