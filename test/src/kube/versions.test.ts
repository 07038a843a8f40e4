import { expect, it } from 'vitest'
import { isOlder } from '../../../src/kube/versions.ts'

it.each([
  { one: '99', other: '100', older: true },
  { one: '100', other: '99', older: false },
  { one: '100', other: '100', older: false },
  { one: '101', other: '100', older: false },
  { one: '9007199254740992', other: '9007199254740993', older: true },
  { one: '', other: '100', older: false },
  { one: '7', other: 'v100', older: false },
  { one: '007', other: '100', older: false },
])('"$one" is older than "$other": $older', ({ one, other, older }) => {
  expect(isOlder(one, other)).toBe(older)
})
