export type { Remotes } from '../../src/admission/mutation.ts'
export type { Built } from '../../src/cluster/port.ts'
export { type Asking, type Fact, type Facts, NOTHING_KNOWN } from '../../src/fact.ts'
export type { CommandAnswer, CommandQuestion, ControllerRemotes, Family, FamilyCommand } from '../../src/family.ts'
export type { Defined } from '../../src/kind.ts'
export type { Action, Expected, Notice, Performed, RemoveAction } from '../../src/reconcile/action.ts'
export {
  type Controller,
  defineController,
  type Given,
  type Index,
  type Key,
  type PerformContext,
  type Plan,
  type Reference,
  type Result,
  type Sight,
  type Step,
  type Turn,
  type TwoStates,
  type Watch,
} from '../../src/reconcile/controller.ts'
export { all, labelled, owned, referred } from '../../src/reconcile/watches.ts'
