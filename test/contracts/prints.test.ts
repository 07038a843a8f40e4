import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { effectOf } from '../../src/admission/rule.ts'
import { RULE_ID } from '../../src/admission/rule-id.ts'
import type { Tree } from '../../src/schema.ts'
import { prints, printsOfAll, stale } from '../prints.ts'
import { at, treesOf } from '../support/builders/trees.ts'
import { due } from '../support/due.ts'
import { kinds } from '../support/kinds.ts'
import { ran } from '../support/world.ts'

it('no committed print is stale ("npm run print" mends it)', () => {
  expect(stale()).toEqual([])
})
it('nothing stands beside the prints that looks like one', () => {
  const folders = ['manifests', 'manifests/crds', 'manifests/rbac', 'manifests/webhook']
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((each) => (each.isFile() ? [`${folder}/${each.name}`] : [])),
  )
  expect(files.filter((file) => prints[file] === undefined)).toEqual([])
})

const read = (path: string) => treesIn(readFileSync(path, 'utf8'))
const treesIn = (text = ''): readonly Tree[] =>
  parseAllDocuments(text).flatMap((document) => treesOf([document.toJS()]))

/** A dry run takes the rights of what it tries. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  'dry-run create': ['create'],
  'dry-run apply': ['create', 'patch'],
}

describe.each(kinds.map((kind) => ({ kind, name: kind.resource.kind })))('$name is in the manifests', ({ kind }) => {
  const { group, version, plural } = kind.resource
  it('with its definition, if it is ours', () => {
    const path = `manifests/crds/${plural}.${group}.yaml`
    const isOurs = kinds.some(({ resource, definition }) => resource.plural === plural && definition) // also of its scale
    expect(printsOfAll[path] !== undefined).toBe(isOurs)
  })
  it('with a right to everything that it looks up', () => {
    const rules = treesIn(printsOfAll['manifests/rbac/rbac.yaml']).flatMap((each) => treesOf(each.rules))
    for (const { resource, keeps, asks = [] } of kind.reads) {
      const right = rules.find(
        (rule) => at(rule, 'apiGroups.0') === resource.group && at(rule, 'resources.0') === resource.plural,
      )
      const asked = asks.flatMap((verb) => VERBS[verb] ?? [verb])
      expect(right?.verbs).toEqual(expect.arrayContaining(keeps === undefined ? asked : ['get', 'list', 'watch']))
    }
  })
  it.each(kind.doors.map((door) => ({ door, name: door.name })))('with a rule for its door $name', ({ door }) => {
    const resources = [[plural, door.subresource].filter(Boolean).join('/')]
    const rule = { apiGroups: [group], apiVersions: [version], operations: [...door.operations], resources }
    const webhooks = treesIn(printsOfAll['manifests/webhook/configurations.yaml']).flatMap((each) =>
      treesOf(each.webhooks),
    )
    const rules = webhooks.filter(({ name }) => name === door.name).flatMap((webhook) => treesOf(webhook.rules))
    expect(rules).toContainEqual(expect.objectContaining(rule))
  })
})

describe('one kustomization and one file install the same', () => {
  it('object for object', () => {
    const [kustomization] = read('manifests/kustomization.yaml')
    const listed = [kustomization?.resources].flat().flatMap((path) => read(`manifests/${path}`))
    expect(listed).toEqual(read('manifests/install.yaml'))
  })
})

/** What they refuse a mutation has mended before. */
const BEHIND_MUTATIONS = ['TD-V1', 'TD-V2', 'TR-V4']
/** A block that comes or goes does not fit the subType either (TS-V5). */
const NEVER_ALONE = ['TS-V4']

describe('the samples', () => {
  const filesIn = (folder: string) => readdirSync(folder).map((name) => ({ path: `${folder}/${name}` }))
  it.each(filesIn('manifests/samples/good'))('$path is admitted', async ({ path }) => {
    expect(await ran(['review', '-f', path])).toMatchObject({ code: 0, out: expect.stringContaining(' 0 refused') })
  })
  it.each(filesIn('manifests/samples/bad'))(
    '$path is refused by the rules that its first line names',
    async ({ path }) => {
      const [, rules = ''] = /^# Refused by ([^:]+):/.exec(readFileSync(path, 'utf8')) ?? []
      const { code, out } = await ran(['review', '-f', path])
      expect(code).toBe(1)
      const shown = out.matchAll(/\(([^\s,]+)(?:, \S+)?\)$/gm).map(([, id]) => id)
      expect([...new Set(shown)]).toEqual(rules.split(', '))
    },
  )
  it('define no object twice, and no template that is another one among the bad', () => {
    const namesIn = (folder: string) =>
      filesIn(folder).flatMap(({ path }) => read(path).map((each) => `${each.kind} ${at(each, 'metadata.name')}`))
    const [good, bad] = [namesIn('manifests/samples/good'), namesIn('manifests/samples/bad')]
    expect(good.filter((name, i) => good.indexOf(name) !== i)).toEqual([])
    expect(bad.filter((name) => name.startsWith('TTemplate ') && good.includes(name))).toEqual([])
  })
  it('show every rule of the specification that an object can violate by itself', () => {
    const shown = filesIn('manifests/samples/bad').map(({ path }) => RULE_ID.exec(readFileSync(path, 'utf8'))?.[0])
    const rules = kinds
      .flatMap((kind) => kind.rules)
      .filter((rule) => !rule.on.startsWith('delete') && effectOf(rule, 'seed') === 'refuse')
      .filter(({ id }) => due.includes(id) && ![...BEHIND_MUTATIONS, ...NEVER_ALONE].includes(id))
    expect(rules.map(({ id }) => id).filter((id) => !shown.includes(id))).toEqual([])
  })
})
