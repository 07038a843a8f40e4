import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerer } from '../../src/admission/answer.ts'
import { reviewOf } from '../../src/admission/review.ts'
import type { Built } from '../../src/cluster/port.ts'
import { isStored } from '../../src/cluster/stored.ts'
import { answererPartsOf, arrivalAt, MUTATING, VALIDATING } from '../support/answerer-parts.ts'
import { readersOf } from '../support/fakes/readers.ts'

const FOLDER = 'test/fixtures/ttemplate-reviews'
const contentOf = (file: string): unknown => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))
const recorded = readdirSync(FOLDER)
  .filter((file) => !file.endsWith('.answer.json'))
  .map((file) => ({ file, answer: contentOf(file.replace(/json$/, 'answer.json')) }))

/** What was stored before each validating review, from what was admitted so far. */
const stored = new Map<string, Built>()

describe('reviews of TTemplates, recorded on a real API server (test/cluster/record.ts), are answered as then', () => {
  it.each(recorded)('$file', async ({ file, answer }) => {
    const review = reviewOf(contentOf(file))
    const path = file.includes('.mutate') ? MUTATING : VALIDATING
    const { response } = await answerer(answererPartsOf({ readers: readersOf(...stored.values()) }))(
      review,
      arrivalAt(path),
    )
    expect({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }).toEqual(answer)
    if (path === VALIDATING && response.allowed && !review.dryRun) keep(review.name, review.object)
  })

  function keep(name: string, object: unknown): void {
    if (isStored(object)) stored.set(name, object)
    else stored.delete(name)
  }
})
