import { type KubeObject, resource } from '../../src/cluster/port.ts'
import { choice, flag, integer, list, map, nullable, object, type Shape, text } from '../../src/schema.ts'

const part = object(
  { name: text({ minLength: 1, doc: 'Name of the part.' }) },
  { weight: integer({ default: 1, minimum: 1, doc: 'Weight of the part.' }) },
)
const box = object(
  {},
  { width: integer({ doc: 'Width.' }), unit: text({ default: 'mm', doc: 'Unit of the width.' }) },
  'A box that may be missing; its defaults count only where it is there.',
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
      },
      'What the gadget is.',
    ),
  },
  {
    purpose: text({ maxLength: 30, doc: 'Field beside spec.' }),
    grade: integer({ default: 1, doc: 'Default beside spec.' }),
  },
)
export type Gadget = KubeObject & Shape<typeof gadget>
export const GADGET = resource(
  { group: 'test.tars.io', version: 'v1', kind: 'Gadget', plural: 'gadgets', scope: 'Namespaced' },
  gadget,
)
