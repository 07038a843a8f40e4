import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { processesIn } from '../cluster/processes.ts'
import { folderOf } from '../support/folders.ts'
import { debianPrograms } from './debian.ts'
import { startEtcd } from './etcd.ts'

it('the real confd renders what the real etcd holds', async () => {
  const etcd = await startEtcd()
  await etcd.put({ '/name': 'one' })
  const target = join(folderOf(), 'a.conf')
  const confdir = folderOf({
    'conf.d/a.toml': `[template]\nsrc = "a.tmpl"\ndest = "${target}"\nkeys = ["/name"]\n`,
    'templates/a.tmpl': '<{{getv "/name"}}>',
  })
  const place = folderOf()
  const processes = processesIn(place, place)
  const args = ['-onetime', '-backend=etcdv3', `-node=${etcd.endpoint}`, `-confdir=${confdir}`]
  const { code, words } = await processes.run({ name: 'confd', command: inject('components').confd, args })
  await processes.close()

  expect({ code, words }).toMatchObject({ code: 0 })
  expect(readFileSync(target, 'utf8')).toBe('<one>')
})

it('what is missing of the packages is named, and how to get it', () => {
  const empty = folderOf()
  expect(() => debianPrograms({ path: empty, system: [] })).toThrow(
    'there is no redis-server and no nginx here: apt-get install redis-server nginx-light',
  )
})
