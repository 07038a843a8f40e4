import type { Exempt } from '../admission/change.ts'
import { type Finding, type RuleWords, remedyOf } from '../admission/rule.ts'
import { RULE_ID } from '../admission/rule-id.ts'
import type { Kind } from '../kind.ts'

/** Prints docs/rules.md: every rule with the texts that an author reads. */
export function rulesPage(kinds: readonly Kind[]): string {
  return anchored(`${[HEAD, ...sections(kinds).map(sectionOf)].join('\n\n')}\n`)
}

/** Kinds of one name that share their rules or mutations, such as the versions of a group, share a section. */
function sections(kinds: readonly Kind[]): readonly (readonly [Kind, ...Kind[]])[] {
  const firsts = kinds.filter((kind, at) => kinds.findIndex((other) => isOneWith(kind, other)) === at)
  return firsts.map((first) => [first, ...kinds.filter((kind) => kind !== first && isOneWith(first, kind))])
}
const isOneWith = (one: Kind, other: Kind) =>
  one === other ||
  (one.resource.kind === other.resource.kind &&
    (isShared(one.rules, other.rules) || isShared(one.mutations, other.mutations)))
const isShared = (one: readonly unknown[], other: readonly unknown[]) => one.length > 0 && one === other

const FIRST_CELL = new RegExp(`^\\| (${RULE_ID.source}) \\|`, 'gm')

/** A link such as `rules.md#tc-v1` leads to the first row of that id. */
function anchored(page: string): string {
  const ids = new Set<string>()
  return page.replaceAll(FIRST_CELL, (cell, id) => {
    if (ids.has(id)) return cell
    ids.add(id)
    return `| <a id="${id.toLowerCase()}"></a>${id} |`
  })
}

const HEAD = `# Rules

Printed from the code by \`npm run print\`; a check fails when this page is stale. \`<…>\` stands for a value of
the object.

- A refusal reports all rules that an object violates, each with its path. On an update it reports only what the update
  adds: what the stored object violates already may stay.
- The refusal of a deletion names the object first. The refusal of a missing reference in a dry run adds that a dry run
  does not create what the same file creates.
- The API server checks types, lengths and required fields by the CustomResourceDefinition before these rules run.
  It checks the rules with *checked by the CustomResourceDefinition* too, so they hold while the webhook is away.
- *Our own controllers* are the service accounts \`tars-controller\` and \`tars-webhook\` of the namespace of the
  installation, the user that the webhook runs as, and the users of \`--controllers\`.`

function sectionOf([first, ...others]: readonly [Kind, ...Kind[]]): string {
  const { resource, definition, doors } = first
  const parts = [
    `## ${resource.kind}`,
    ...(others.length > 0 ? [`Of ${[first, ...others].map(versionOf).join(', ')}.`] : []),
    ...(definition ? [definition.description] : []),
    ...(doors.some(({ exceptOurselves }) => exceptOurselves) ? [NOT_OURSELVES] : []),
    ...tablesOf(first).map(table),
  ]
  return parts.join('\n\n')
}

interface Table {
  readonly head: readonly string[]
  /** The first cell is an id. */
  readonly rows: readonly (readonly string[])[]
}
function tablesOf({ mutations, rules, consequences }: Kind): readonly Table[] {
  const words = [...refusalsOf(mutations, rules), ...rules]
  const head = ['rule', 'on', 'field', 'says', 'remedy', 'code', 'does not bind']
  return [
    ...effectsIn('mutation', mutations),
    ...(words.length > 0 ? [{ head, rows: words.map(rowOf) }] : []),
    ...effectsIn('consequence', consequences),
  ]
}

/** What the page says of one id: the kind, and the cells of its row by what stands above them. */
export interface RuleText {
  readonly kind: string
  readonly cells: readonly (readonly [string, string])[]
}
export function textsOf(kinds: readonly Kind[], id: string): readonly RuleText[] {
  return sections(kinds).flatMap(([first]) =>
    tablesOf(first).flatMap(({ head, rows }) =>
      rows
        .filter(([name = '']) => name.toLowerCase() === id.toLowerCase())
        .map((row) => ({ kind: first.resource.kind, cells: head.map((name, at) => [name, row[at] ?? ''] as const) })),
    ),
  )
}

const versionOf = ({ resource: { group, version } }: Kind) => `${group}/${version}`
const NOT_OURSELVES = 'None of this applies to what the webhook itself writes (service account `tars-webhook`).'

/** The refusals of mutations that no rule repeats. */
function refusalsOf(mutations: Kind['mutations'], rules: Kind['rules']): readonly RuleWords[] {
  return mutations.flatMap(({ refuses }) => (refuses === undefined || rules.includes(refuses) ? [] : [refuses]))
}

function effectsIn(what: string, effects: Kind['mutations']): readonly Table[] {
  if (effects.length === 0) return []
  const isForAll = effects.every(({ exempt }) => exempt === undefined)
  const freed = (cell: string) => (isForAll ? [] : [cell])
  const isSilent = effects.every(({ why }) => why === undefined)
  const overruling = (cell: string) => (isSilent ? [] : [cell])
  const rows = effects.map(({ id, says, on, why = '', exempt = [] }) => [
    id,
    says,
    ...overruling(why),
    ...freed(namesOf(exempt, on).join('; ')),
  ])
  const head = [what, 'what it does', ...overruling('the reason in its warning'), ...freed('does not bind')]
  return [{ head, rows }]
}

function rowOf(rule: RuleWords): readonly string[] {
  const { id, on, field = '', message, reason, cel, examples = [ANY], exempt = [], exemptOnUpdate = [] } = rule
  const messages = turns(examples.map((finding) => message(finding)))
  const remedy = turns(examples.map((finding) => remedyOf(rule, finding)))
  const effect =
    typeof rule.effect === 'object'
      ? ` (${Object.entries(rule.effect)
          .map((pair) => pair.join(': '))
          .join(', ')})`
      : ''
  const freed = [...namesOf(exempt, on), ...namesOf(exemptOnUpdate).map((name) => `${name}, on UPDATE`)]
  const code = rule.effect === 'warn' ? 'warning' : CODES[reason ?? 'Invalid']
  const layer = cel === undefined ? '' : ', checked by the CustomResourceDefinition'
  return [id, ON[on] ?? on, field, messages, remedy, code + effect + layer, freed.join('; ')]
}
const CODES = { Invalid: '422', Duplicate: '422', Forbidden: '403', Unavailable: '503' } as const
const turns = (words: readonly string[]) => [...new Set(words)].join('; or: ')
const ANY: Finding = { path: '<path>', value: '<value>', by: ['<names>'] }

const ON: Readonly<Record<string, string>> = {
  create: 'CREATE',
  update: 'UPDATE',
  write: 'CREATE, UPDATE',
  delete: 'DELETE',
  deleteByMetadata: 'DELETE',
}
const WHO = {
  CTRL: 'our own controllers',
  KUBE: 'the controllers of Kubernetes',
} as const
const DELETING = {
  ...WHO,
  KUBE: 'the namespace controller, and the other controllers of Kubernetes while the namespace is terminating',
} as const

function namesOf(sets: readonly Exempt[], on?: string): readonly string[] {
  return sets.map((set) => (on === 'delete' ? DELETING : WHO)[set])
}

function table({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellOf).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
/** Prints placeholders as code, since a browser hides a bare `<value>` as a tag. */
function cellOf(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/<\w+>/g, '`$&`')
}
