export type { Action, Built, Expected, Performed } from '../../src/reconcile/action.ts'
export {
  type Controller,
  defineController,
  type Given,
  type Key,
  type Notice,
  type Plan,
  type Reference,
  type Result,
  type Step,
  type Watch,
} from '../../src/reconcile/controller.ts'
export { all, labelled, owned, referred } from '../../src/reconcile/watches.ts'
