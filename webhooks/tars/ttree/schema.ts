import {
  integer,
  type KubeObject,
  LONGEST_LIST,
  list,
  moment,
  object,
  resource,
  type Shape,
  text,
} from '../../kit/schema.ts'
import { identifier } from '../fields.ts'
import { tarsResource } from '../names.ts'

const LETTERS = '[\\x21-\\x7e\\p{Han}]{2,32}'
const history = {
  createTime: moment({ doc: 'When it was entered.' }),
  createPerson: text({ maxLength: 100, doc: 'Who entered it.' }),
  mark: text({ maxLength: 1_600, doc: 'What else there is to say of it.' }),
}

const business = object(
  {
    name: text({ maxLength: 32, pattern: `^${LETTERS}$`, doc: 'Name of the business, unlike that of any other here.' }),
    show: integer({ minimum: 1, maximum: 100, doc: 'Its place among the others in the console.' }),
    weight: integer({ minimum: 1, maximum: 5, default: 3, doc: 'How much it counts.' }),
  },
  history,
)

const app = object(
  {
    name: identifier({ doc: 'Name of the app, unlike that of any other here; its servers name it in spec.app.' }),
    businessRef: text({
      maxLength: 32,
      pattern: `^(|${LETTERS})$`,
      doc: 'The business that the app belongs to, one of those above; empty for none.',
    }),
  },
  history,
)

const ttree = object({
  businesses: list(business, { maxItems: LONGEST_LIST, doc: 'What apps are grouped by.' }),
  apps: list(app, { maxItems: LONGEST_LIST, doc: 'The apps of this namespace.' }),
})
export type TTree = KubeObject & Shape<typeof ttree>
export const TTREE = resource(tarsResource('TTree', 'ttrees'), ttree)
