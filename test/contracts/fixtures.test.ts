import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { addressOf } from '../../src/admission/door.ts'
import { reviewOf } from '../../src/admission/review.ts'
import { isTree } from '../../src/schema.ts'
import { answered, MUTATING, VALIDATING, wordsOf } from '../support/answerer-parts.ts'
import { aTTemplate } from '../support/builders/templates.ts'
import { readersOf } from '../support/fakes/readers.ts'
import { kinds } from '../support/kinds.ts'

const FOLDER = new URL('../fixtures/reviews/', import.meta.url)
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
const entries = [read('index.json')].flat().filter(isTree)
const files = readdirSync(FOLDER).filter((file) => /\.(mutate|validate)\./.test(file))

const reviews = files.map((file) => {
  const path = file.includes('.mutate.') ? MUTATING : VALIDATING
  const review = reviewOf(read(file))
  const { operation, resource, subresource } = review
  const entry = entries.find((each) => each.file === file)
  return { file, path, review, what: `${operation} ${[resource.plural, subresource].filter(Boolean).join('/')}`, entry }
})
/** Nobody mutated where they were recorded: what the mutating door takes away is still there; and some have odd names. */
const REFUSED: Readonly<Record<string, string>> = {
  '02-tserver-create-dryrun.validate.json': 'TS-V6',
  '21-tserver-generatename.validate.json': 'TS-V6',
  'v126-21-tserver-generatename.validate.json': 'TS-V6',
  '25-tconfig-activate.validate.json': 'TC-V8', // by hand, of a podSeq beyond its pattern (CV-8)
  '33-taccount-create.validate.json': 'TA-V1',
  '34-taccount-client-apply-create.validate.2.json': 'TA-V1',
  '35-taccount-password-reset.validate.json': 'TA-V1',
}
/** What the servers among them refer to. */
const readers = readersOf(aTTemplate({ name: 'tars.cpp', namespace: 'tars-dev' }))
const doors = new Set(
  kinds.flatMap(({ resource, doors }) =>
    doors.flatMap(({ path, subresource, operations }) =>
      operations.map((operation) => addressOf({ path, resource, subresource, operation })),
    ),
  ),
)

describe('the reviews that real API servers sent', () => {
  it('are all here, of both versions', () => {
    expect(files).toHaveLength(132)
    expect(files.filter((file) => file.startsWith('v126-'))).toHaveLength(10)
  })

  it.each(reviews)('$file is read as it was sent: $what', ({ review, entry = {} }) => {
    const { namespace, operation, username, dryRun, kind, subresource } = review
    expect(entry).toMatchObject({ operation, user: username, dryRun, kind })
    expect(entry.namespace ?? '').toBe(namespace)
    expect(entry.subResource || undefined).toBe(subresource)
    expect(isTree(review.object)).toBe(entry.hasObject)
    expect(isTree(review.oldObject)).toBe(entry.hasOldObject)
  })

  it('a delete out of a collection has its name from oldObject (AP-14)', () => {
    const nameless = reviews.filter(({ entry, review }) => !entry?.name && review.operation === 'DELETE')
    expect(nameless.map(({ file, review }) => `${file} ${review.name}`)).toEqual([
      '20-tserver-deletecollection.mutate.json tars-tarsconfig',
      '20-tserver-deletecollection.validate.json tars-tarsconfig',
      '71-kcm-namespace-delete.mutate.3.json a',
      '71-kcm-namespace-delete.mutate.4.json b',
      '71-kcm-namespace-delete.validate.3.json a',
      '71-kcm-namespace-delete.validate.4.json b',
    ])
  })

  it.each(reviews)('$file is answered at $path under its own uid', async ({ file, path, review }) => {
    const answer = await answered(path, read(file), { readers })
    const { response } = answer
    expect(response.uid).toBe(review.uid)
    const by = REFUSED[file]
    expect(wordsOf(answer)).toMatch(
      by === undefined ? /^allowed/ : new RegExp(`^(422 Invalid|403 Forbidden): [^;]*; [^;]* \\(${by}\\)$`, 'm'),
    )
    expect(Object.hasOwn(response, 'patch')).toBe(Object.hasOwn(response, 'patchType'))
    if (review.operation === 'DELETE' || path === VALIDATING) expect(response.patch).toBeUndefined()
  })

  const unmet = reviews.filter(({ path, review }) => !doors.has(addressOf({ ...review, path })))
  it.each(unmet)('$file meets no door, and is told so (W-3)', async ({ file, path, what, review }) => {
    const { response } = await answered(path, read(file))
    expect(response.warnings).toEqual([
      `no handler for ${what.replace(' ', ' of ')} ${review.resource.version} on ${path}`,
    ])
  })
})
