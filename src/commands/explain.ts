import { readdirSync, readFileSync } from 'node:fs'
import { type Config, UsageError } from '../config.ts'
import { kindsOf } from '../family.ts'
import { type RuleText, textsOf } from '../print/rules-page.ts'
import { type Command, NO_PAGE } from './command.ts'
import { SAMPLES } from './samples.ts'

export const explain: Command = {
  settings: ['output', 'families'],
  usual: { families: ['all'] },
  words: 'RULE',
  async run(config, { out }, { families, words: [id, ...more] }) {
    requireText(config)
    if (id === undefined || more.length > 0) throw new UsageError('explain takes one rule, such as TS-V8')
    const texts = textsOf(kindsOf(families, config.settings), id)
    if (texts.length === 0) throw new UsageError(`there is no rule "${id}"; docs/rules.md has them all`)
    const explanation = { texts, ...examplesOf(texts) }
    out(config.output === 'json' ? `${JSON.stringify(asData(explanation), null, 2)}\n` : asText(explanation))
    return 0
  },
}

function requireText({ output }: Config): void {
  if (output === 'html') throw new UsageError(NO_PAGE)
  if (output === 'yaml') throw new UsageError('-o yaml is the form of review --plan')
}

interface Example {
  readonly file: string
  readonly text: string
}
interface RuleExplained {
  readonly texts: readonly RuleText[]
  /** In the words of the bad example. */
  readonly why?: string
  readonly bad?: Example
  readonly good?: Example
}

/** From the samples: the first line of a bad one says which rules refuse it, and why. */
function examplesOf([first]: readonly RuleText[]): Omit<RuleExplained, 'texts'> {
  const cells = new Map(first?.cells)
  const bad = badOf(cells.get('rule') ?? '')
  const why = bad && REFUSED.exec(bad.text)?.[2]
  const good = goodOf(first?.kind ?? '', cells.get('field') ?? '')
  return { ...(why && { why }), ...(bad && { bad }), ...(good && { good }) }
}
/** That which the fewest other rules refuse. */
function badOf(id: string): Example | undefined {
  const named = ({ text }: Example) => REFUSED.exec(text)?.[1]?.split(', ') ?? []
  const broken = samplesIn('bad').filter((sample) => named(sample).includes(id))
  return broken.sort((one, other) => named(one).length - named(other).length)[0]
}
const REFUSED = /^# Refused by ([^:]+): (.*)/

/** The shortest of its kind, with that field if any has it. */
function goodOf(kind: string, field: string): Example | undefined {
  const ofKind = ['good', 'daemonsets', 'cloudflare']
    .flatMap(samplesIn)
    .flatMap(documentsIn)
    .filter(({ text }) => new RegExp(`^kind: ${kind}$`, 'm').test(text))
    .sort((one, other) => one.text.length - other.text.length)
  const steps = field.split(/[.[\],]+/).filter(Boolean)
  return ofKind.find(({ text }) => steps.every((step) => text.includes(`${step}:`))) ?? ofKind[0]
}

function samplesIn(folder: string): readonly Example[] {
  if (SAMPLES === undefined) return []
  const files = readdirSync(`${SAMPLES}/${folder}`).sort()
  return files.map((name) => ({
    file: `manifests/samples/${folder}/${name}`,
    text: readFileSync(`${SAMPLES}/${folder}/${name}`, 'utf8'),
  }))
}
const documentsIn = ({ file, text }: Example): readonly Example[] =>
  text.split(/^---\n/m).map((each) => ({ file, text: each.trim() }))

function asText({ texts, why, bad, good }: RuleExplained): string {
  const parts = [
    ...texts.map(linesOf),
    ...(why === undefined ? [] : [`why: ${why}`]),
    ...(bad === undefined ? [] : [`A bad example, ${bad.file}:\n\n${indented(bad.text)}`]),
    ...(good === undefined ? [] : [`A good example, from ${good.file}:\n\n${indented(good.text)}`]),
  ]
  return `${parts.join('\n\n')}\n`
}
function linesOf({ kind, cells: [[, id] = ['', ''], ...cells] }: RuleText): string {
  const told = cells.filter(([, text]) => text !== '')
  const width = Math.max(...told.map(([name]) => name.length))
  const lines = told.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)
  return [`${id} of ${kind}`, ...lines].join('\n')
}
const indented = (text: string) => text.trim().replaceAll(/^(?=.)/gm, '  ')

function asData({ texts, ...examples }: RuleExplained) {
  return { rows: texts.map(({ kind, cells }) => ({ kind, ...Object.fromEntries(cells) })), ...examples }
}
