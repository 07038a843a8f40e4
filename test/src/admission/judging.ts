import type { Change } from '../../../src/admission/change.ts'
import { judge as judgeThere } from '../../../src/admission/judge.ts'
import type { Rule } from '../../../src/admission/rule.ts'
import type { Readers } from '../../../src/cluster/port.ts'
import type { Gadget } from '../../support/builders/gadget.ts'
import { aGadget } from '../../support/builders/gadgets.ts'
import { readersOf } from '../../support/fakes/readers.ts'

export const withLevels = (...levels: readonly number[]) => aGadget({ levels: Object.fromEntries(levels.entries()) })
export const none = readersOf()
/** In a namespace that is not terminating, unless the case says otherwise. */
export const judge = (
  rules: readonly Rule<Gadget>[],
  change: Change<Gadget>,
  readers: Readers,
  isNamespaceTerminating = async () => false,
) => judgeThere(rules, change, { ...readers, isNamespaceTerminating })

export async function pathsFound(rule: Rule<Gadget>, change: Change<Gadget>, readers: Readers = none) {
  const { found } = await judge([rule], change, readers)
  return found.map(({ path }) => path)
}
