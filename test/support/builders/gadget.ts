import type { KubeObject } from '../../../src/cluster/port.ts'
import { resource } from '../../../src/cluster/resource.ts'
import {
  anyObject,
  choice,
  flag,
  integer,
  integerOrText,
  list,
  map,
  moment,
  nullable,
  object,
  oneOf,
  type Shape,
  secret,
  text,
  usually,
} from '../../../src/schema.ts'

const part = object(
  { name: text({ minLength: 1, doc: 'Name of the part.' }) },
  { weight: integer({ default: 1, minimum: 1, doc: 'Weight of the part.' }) },
)
const box = object(
  {},
  { width: integer({ doc: 'Width.' }), unit: text({ default: 'mm', doc: 'Unit of the width.' }) },
  'A box that may be missing; its defaults count only where it is there.',
)
const source = object({}, { file: text({ doc: 'Path of a file.' }), url: text({ doc: 'Address.' }) })
const rivet = object(
  { name: text({ maxLength: 5, doc: 'Name, unlike that of others on its side.' }) },
  { side: text({ default: 'left', doc: 'Side.' }), depth: integer({ maximum: 9, doc: 'Depth.' }) },
)
const bulb = object({}, { watts: integer({ default: 5, doc: 'Power.' }) })
const frame = object(
  {},
  {
    lamp: usually(
      object(
        {},
        { tone: text({ default: 'warm', doc: 'Tone.' }), bulb: usually(bulb, {}) },
        'A lamp that is always there.',
      ),
      {},
    ),
  },
  'Where it is, its parts are.',
)

/** Has all that `src/schema.ts` can say, and means nothing. */
const gadget = object(
  {
    spec: object(
      { title: text({ minLength: 2, maxLength: 20, pattern: '^[a-z ]*$', doc: 'Required, with limits of a text.' }) },
      {
        color: choice(['red', 'green', 'blue'], { default: 'red', doc: 'Enum with a default.' }),
        count: integer({ default: 3, minimum: 0, maximum: 10, doc: 'Integer with a default and limits.' }),
        active: flag({ default: true, doc: 'Flag with a default.' }),
        note: text({ default: 'none', doc: 'Text with a default.' }),
        tags: list(text({ doc: 'Tag.' }), { default: ['plain'], maxItems: 3, doc: 'List with a default and a limit.' }),
        owner: text({ doc: 'Text without a default.' }),
        heir: nullable(text({ doc: 'Text that may be null.' })),
        guard: nullable(text({ default: 'dog', doc: 'Text with a default that may be null.' })),
        parts: list(part, { doc: 'List of objects with defaults.' }),
        settings: map(text({ maxLength: 5, doc: 'Value.' }), { doc: 'Map of texts.' }),
        levels: map(integer({ default: 7, doc: 'Level.' }), { doc: 'Map of integers, with a default for each.' }),
        box,
        born: moment({ doc: 'When.' }),
        key: secret({ minLength: 3, doc: 'What nobody is to read.' }),
        share: integerOrText({ pattern: '^[0-9]+%$', doc: 'Number or part.' }),
        source: oneOf(source, ['file', 'url']),
        pairs: list(text({ doc: 'Item.' }), { minItems: 2, doc: 'List that has some.' }),
        rivets: list(rivet, { keys: ['side', 'name'], maxItems: 5, doc: 'List whose items have names.' }),
        sources: list(oneOf(source, ['file', 'url']), { doc: 'List of what is one of two.' }),
        drawers: map(list(rivet, { keys: ['name'], doc: 'What is in a drawer.' }), { doc: 'Lists by name.' }),
        frame,
        motto: text({ maxLength: 3, pattern: '^[a-z\\p{Han}]*$', doc: 'Text in two scripts.' }),
        extras: anyObject({ doc: 'Anything.' }),
        maker: text({ maxLength: 20, doc: 'Set once, and the beginning of the name.' }),
      },
      'What the gadget is.',
    ),
  },
  {
    purpose: text({ maxLength: 30, doc: 'Field beside spec.' }),
    grade: integer({ default: 1, doc: 'Default beside spec.' }),
    status: object({}, { phase: text({ maxLength: 9, doc: 'Phase.' }) }, 'Written by itself.'),
  },
)
export type Gadget = KubeObject & Shape<typeof gadget>
export const GADGET = resource(
  { group: 'test.tars.io', version: 'v1', kind: 'Gadget', plural: 'gadgets', scope: 'Namespaced' },
  gadget,
)
