import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { reviewOf } from '../../../../src/admission/review.ts'
import { isTree } from '../../../../src/schema.ts'
import { answered, labelsIn, MUTATING, patchIn, VALIDATING, wordsOf } from '../../../support/answerer-parts.ts'
import { aRelease, aTServer } from '../../../support/builders/servers.ts'
import { aTTemplate } from '../../../support/builders/templates.ts'
import { readersOf } from '../../../support/fakes/readers.ts'
import { withRequest } from '../../../support/reviews.ts'

const FOLDER = 'test/fixtures/reviews'
const bodyOf = (file: string) => JSON.parse(readFileSync(`${FOLDER}/${file}`, 'utf8'))
const recorded = readdirSync(FOLDER)
  .filter((file) => /-tserver-.*\.(mutate|validate)\.json$/.test(file))
  .map((file) => ({ file, ...reviewOf(bodyOf(file)) }))
const written = recorded.filter(({ operation, subresource }) => operation !== 'DELETE' && !subresource)
const readers = readersOf(aTTemplate({ name: 'tars.cpp', namespace: 'tars-dev' }))

/** A schema of others was in place then, so what is said here is about decisions. */
describe('TServers as a real API server sent them', () => {
  it('are of every kind', () => {
    expect(recorded.length).toBeGreaterThan(30)
    expect(new Set(recorded.map(({ operation }) => operation))).toEqual(new Set(['CREATE', 'UPDATE', 'DELETE']))
  })

  const mutated = written.filter(({ file, oldObject }) => file.includes('.mutate.') && !isTerminating(oldObject))
  it.each(mutated)('$file is completed once', async ({ file }) => {
    const body = bodyOf(file)
    const { object } = await answered(MUTATING, body, { readers })
    const { app, server, subType } = isTree(object) && isTree(object.spec) ? object.spec : {}
    expect(labelsIn(object)).toMatchObject({
      'tars.io/ServerApp': app,
      'tars.io/ServerName': server,
      'tars.io/SubType': subType,
    })
    const again = await answered(MUTATING, withRequest(body, { object }), { readers })
    expect(wordsOf(again)).toBe('allowed')
    expect(patchIn(again)).toBeUndefined()
  })

  const going = written.filter(({ oldObject }) => isTerminating(oldObject))
  it.each(going)('$file is about one being deleted, and goes on unchanged (W-7)', async ({ file }) => {
    const answer = await answered(file.includes('.mutate.') ? MUTATING : VALIDATING, bodyOf(file), { readers })
    expect(wordsOf(answer)).toBe('allowed')
    expect(patchIn(answer)).toBeUndefined()
  })

  const validated = written.filter(({ file }) => file.includes('.validate.'))
  it.each(validated)('$file is allowed, unless it has another name than its own', async ({ file, name, object }) => {
    const { app, server } = isTree(object) && isTree(object.spec) ? object.spec : {}
    const own = `${app}-${server}`
    const answer =
      name === own ? /^allowed$/ : new RegExp(`^422 Invalid: metadata.name: must be "${own}" .*\\(TS-V6\\)$`)
    expect(wordsOf(await answered(VALIDATING, bodyOf(file), { readers }))).toMatch(answer)
  })

  it('08-tserver-scale is held to the bounds of its server (TS-M16)', async () => {
    const server = aTServer({
      app: 'tars',
      server: 'tarsconfig',
      namespace: 'tars-dev',
      release: aRelease(),
      annotations: { 'tars.io/MaxReplicas': '2' },
    })
    const body = bodyOf('08-tserver-scale.mutate.json')
    const answer = await answered(MUTATING, body, { readers: readersOf(server) })
    expect(patchIn(answer)).toEqual([{ op: 'add', path: '/spec/replicas', value: 2 }])
    expect(wordsOf(await answered(MUTATING, body, { readers }))).toBe('allowed')
  })
})

function isTerminating(object: unknown): boolean {
  return isTree(object) && isTree(object.metadata) && object.metadata.deletionTimestamp !== undefined
}
