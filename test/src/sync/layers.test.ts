import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { IMPORTS } from '../../../.config/imports.ts'
import { realHost } from '../../../src/sync/host/real-host.ts'
import { run } from '../../../src/sync/pass/commands.ts'
import { commit } from '../../../src/sync/pass/commit.ts'
import type { TemplateResource } from '../../../src/sync/resources/resource.ts'
import { fileStore } from '../../../src/sync/stores/file/store.ts'
import { parse, render } from '../../../src/sync/template/template.ts'
import { systemClock } from '../../../src/timing/clock.ts'
import { aSurrounding } from '../../support/builders/surroundings.ts'
import { fileOf, folderOf } from '../../support/folders.ts'

const { signal } = new AbortController()

describe('SY-FIT-1 three layers, each usable alone', () => {
  it('the template engine imports nothing, stores and the rest as little as that', () => {
    const mayOf = (folder: string) => IMPORTS.find(({ of }) => of === folder)?.may
    const around = ['src/faults.ts', 'src/timing/', 'src/telemetry/']
    expect(mayOf('src/sync/template/')).toEqual([])
    expect(mayOf('src/sync/stores/')).toEqual([...around, 'src/sync/*.ts'])
    expect(mayOf('src/sync/')).toEqual(around)
  })

  it('a store is read, a template rendered, a file applied and its reload run without the loop', async () => {
    const store = fileStore({ files: [fileOf('name: one', 'values.yaml')], filter: '*' }, { clock: systemClock })
    const { values } = await store.read([], signal)

    const template = parse('a.tmpl', Buffer.from('<{{getv "/name"}}>'))
    const content = render(template, aSurrounding({ store: Object.fromEntries(values) }))

    const dest = join(folderOf(), 'a.conf')
    const reload = { command: ['cp', '{{.dest}}', `${dest}.seen`], timeoutMs: 5_000 }
    const resource = aResource(dest, reload)
    const around = { resource, host: realHost, signal }
    const { uid, gid } = realHost
    const owner = { mode: 0o600, uid, gid, isAsked: false }
    const how = { keepsStage: false, isSyncOnly: false, checked: () => {} }
    expect(await commit({ ...around, ...how, content, owner })).toEqual({ did: 'swapped', how: 'at once' })
    expect(await run(reload, { src: dest, dest }, around)).toMatchObject({ ok: true })
    expect(readFileSync(`${dest}.seen`, 'utf8')).toBe('<one>')
  })
})

function aResource(dest: string, reload: TemplateResource['reload']): TemplateResource {
  const times = { mode: undefined, uid: undefined, gid: undefined, debounceMs: 0 }
  const names = { name: 'a.toml', src: 'a.tmpl', dest, keys: [], prefix: '' }
  return { ...names, ...times, check: undefined, reload, createDir: false, strict: false }
}
