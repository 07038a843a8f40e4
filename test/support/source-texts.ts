import { parseAst } from 'vitest/node'
import { isTree } from '../../src/schema.ts'

/** Documentation, and examples of what other literals say. */
const NOT_SAID = ['doc', 'help', 'description', 'field', 'examples', 'because']
const PLACEHOLDER = '\0'

/**
 * The texts of several words that some code can say, in its order: a literal as it is, and of a template a pattern. What
 * a placeholder stands for may be anything.
 */
export function saidIn(code: string): readonly RegExp[] {
  const texts = literalsIn(parseAst(code, { lang: 'ts' }))
  return texts.filter((text) => /[a-z)]\S* \S*[a-z\0(]/i.test(text)).map(patternOf)
}

const patternOf = (text: string) => new RegExp(text.split(PLACEHOLDER).map(RegExp.escape).join('.*'), 's')

function literalsIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(literalsIn)
  if (!isTree(node) || isUnsaid(node)) return []
  const own = node.type === 'Literal' ? [node.value] : node.type === 'TemplateLiteral' ? [templateOf(node.quasis)] : []
  return [...own.filter((text) => typeof text === 'string'), ...Object.values(node).flatMap(literalsIn)]
}

function isUnsaid({ type, key }: Readonly<Record<string, unknown>>): boolean {
  return type === 'ImportDeclaration' || (type === 'Property' && isTree(key) && NOT_SAID.includes(`${key.name}`))
}

function templateOf(quasis: unknown): string {
  const parts = Array.isArray(quasis) ? quasis.map(({ value }) => `${value.cooked}`) : []
  return parts.join(PLACEHOLDER)
}
