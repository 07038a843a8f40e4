import { parseAllDocuments, stringify } from 'yaml'
import { fileOf } from './folders.ts'
import { ran } from './world.ts'

export const OURS = { apiVersion: 'k8s.tars.io/v1beta2' }

/** `review --plan` of these objects. */
export const planned = (objects: readonly unknown[], ...args: readonly string[]) =>
  ran(['review', '--plan', '-f', fileOf(pagesOf(objects)), ...args])
export const seeded = (...objects: readonly unknown[]) => ['--seed', fileOf(pagesOf(objects))]
const pagesOf = (objects: readonly unknown[]) =>
  objects.map((object) => stringify(object, { version: '1.1' })).join('---\n')

/** The lines of the plan in text form. */
export const linesOf = (out: string) =>
  out
    .slice(out.indexOf('plan:'))
    .split('\n')
    .slice(1, -1)
    .map((line) => line.trim())

/** As kubectl reads them. */
export const documents = (text: string): readonly unknown[] =>
  parseAllDocuments(text, { version: '1.1' }).map((page) => page.toJS())

export const treeOf = (namespace: string, ...apps: readonly string[]) => ({
  ...OURS,
  kind: 'TTree',
  metadata: { namespace, name: 'tars-tree' },
  apps: apps.map((name) => ({ name, businessRef: '' })),
  businesses: [],
})
