import { expect, it } from 'vitest'
import { controllers } from '../support/controllers.ts'

it('controllers of all families have names of their own, by which metrics and logs tell them apart', () => {
  const names = controllers.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
})
