import { expect, it } from 'vitest'
import { settingsOf } from '../../src/setting.ts'
import { families } from '../../webhooks/index.ts'
import { quickPasswords } from '../support/passwords.ts'

it('controllers of all families have names of their own, by which metrics and logs tell them apart', () => {
  const controllers = families.flatMap((family) => family.controllers({ passwords: quickPasswords }, settingsOf({})))
  const names = controllers.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
})
