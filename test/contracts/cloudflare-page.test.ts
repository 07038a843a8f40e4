import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ANNOTATIONS } from '../../webhooks/cloudflare/names.ts'
import { CONTRACT } from '../webhooks/cloudflare/engine/contract.ts'

const PAGE = readFileSync('docs/cloudflare.md', 'utf8')
const rows = (head: string) => {
  const [, table = ''] = PAGE.split(`\n| ${head} |`)
  const [lines = ''] = table.split('\n\n')
  return lines.split('\n').slice(2)
}
const codeIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

describe('docs/cloudflare.md', () => {
  const kinds = rows('kind | at Cloudflare | the mark stands in | right of the token')
  const told = kinds
    .map((row) => row.split('|'))
    .flatMap(([, names, , mark]) => codeIn(names).map((kind) => ({ kind, mark })))

  it('has a row for each kind that is kept at Cloudflare', () => {
    expect(told.map(({ kind }) => kind).sort()).toEqual(CONTRACT.map(({ kind }) => kind).sort())
  })
  it.each(CONTRACT)('says where the mark of a $kind stands (CF-OWN-05)', ({ kind, mark, limit }) => {
    const { mark: words = '' } = told.find((each) => each.kind === kind) ?? {}
    if (mark === undefined) expect(words).toMatch(/^ no field/)
    else expect(words).toContain(`\`${mark}\`, ${limit} characters`)
  })
  it('has the annotations that an author writes, and no other', () => {
    const { remoteId, ...others } = ANNOTATIONS
    const ofOthers: readonly string[] = [others.remoteOrigin, others.creating, others.drift, others.foreignRules]
    const authors = Object.values(others).filter((name) => !ofOthers.includes(name))
    const written = rows('annotation `cloudflare-operator.io/…` | what it does').flatMap((row) =>
      codeIn(row.split('|')[1]),
    )
    expect(written.map((name) => `cloudflare-operator.io/${name}`).sort()).toEqual(authors.sort())
    expect(PAGE).toContain(remoteId)
  })
  it('tells two clusters of one account to have an id each (CF-OWN-16)', () => {
    expect(PAGE).toMatch(/Two clusters on one zone or account\*\* need `--cloudflare-cluster-id`/)
  })
})
