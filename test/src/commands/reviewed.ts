import { expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { Tree } from '../../../src/schema.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { fileOf } from '../../support/folders.ts'
import { type Ran, ran } from '../../support/world.ts'

export const pages = (...objects: readonly object[]) => objects.map((object) => stringify(object)).join('---\n')
export const root = (name: string) => aTTemplate({ name, labels: {} })
export const child = (name: string, parent: string) => aTTemplate({ name, parent, labels: {} })
/** As an author writes it, who knows nothing of labels. */
export const plain = ({ metadata: { name, namespace }, ...body }: Tree & { readonly metadata: Tree }) => ({
  ...body,
  metadata: { name, namespace },
})
export const OURS = { apiVersion: 'k8s.tars.io/v1beta2' }
export const tree = (...apps: readonly string[]) => ({
  ...OURS,
  kind: 'TTree',
  metadata: { name: 'tars-tree', namespace: 'demo' },
  apps: apps.map((name) => ({ name, businessRef: '' })),
  businesses: [],
})

export const aSecret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x', namespace: 'demo' } }

/** The answer, with the path of the file as `FILE`. */
export async function reviewed(content: string, ...args: string[]): Promise<Ran> {
  const file = fileOf(content)
  const { code, out, err } = await ran(['review', '-f', file, ...args])
  return { code, out: out.replaceAll(file, 'FILE'), err: err.replaceAll(file, 'FILE') }
}

export function itSays(
  cases: readonly { readonly name: string; readonly content: string; readonly says: readonly unknown[] }[],
) {
  it.each(cases)('$name', async ({ content, says }) => {
    const { out, code } = await reviewed(content)
    expect(out.trimEnd().split('\n')).toEqual(says)
    expect(code).toBe(out.includes(' 0 refused') ? 0 : 1)
  })
}
