import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { envOf, flagOf, NAMES, SETTINGS } from '../../src/config.ts'
import type { JsonSchema } from '../../src/schema.ts'
import { families } from '../../webhooks/index.ts'

const settings = families.flatMap((family) => family.settings)
const names = settings.map(({ name }) => name)

/** What `fits` looks at, and words for people. */
const CHECKED = [
  ...['type', 'enum', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'],
  ...['description', 'default'],
]
const commands = families.flatMap((family) => family.commands ?? [])
const schemas = [...settings, ...commands.flatMap(({ flags = [] }) => flags)].map(({ field }) => field.json)
const wordsOf = ({ items, ...schema }: JsonSchema): readonly string[] => [
  ...Object.keys(schema),
  ...(items === undefined ? [] : wordsOf(items)),
]

describe('what may be set', () => {
  it('has a schema of which all is checked', () => {
    const all = [...schemas, ...NAMES.map((name) => SETTINGS[name].json)]
    expect(all.filter(({ type }) => type === undefined)).toEqual([])
    expect(all.flatMap(wordsOf).filter((word) => !CHECKED.includes(word))).toEqual([])
  })
})

describe('what may be set of a family', () => {
  it('has a name of its own, among all families and what may be set of the machine', () => {
    const all = [...NAMES, ...names]
    expect([...new Set(all.map(flagOf))]).toEqual(all.map(flagOf))
    expect([...new Set(all.map(envOf))]).toEqual(all.map(envOf))
    expect(all.filter((name) => !/^[a-z]+([A-Z][a-z]+)*$/.test(name))).toEqual([])
  })
  it.each(settings)('$name says what it is for, and has a default that fits', ({ field, is }) => {
    expect(field.json.description).toMatch(/\S/)
    expect(is(field.json.default)).toBe(true)
  })
  it('is listed by its family, or no flag would lead there', async () => {
    for (const file of globSync('webhooks/*/{,*/}settings.ts')) {
      const tokens: object = await import(join('../..', file))
      const listed: readonly unknown[] = families.find(({ name }) => file.split('/')[1] === name)?.settings ?? []
      expect(Object.values(tokens).filter((token) => !listed.includes(token))).toEqual([])
    }
    expect(globSync('webhooks/*/{,*/}settings.ts')).not.toEqual([])
  })
  it('is named beside the rules of its kind, and nowhere in src', () => {
    const words = new RegExp(settings.flatMap(({ name }) => [name, flagOf(name), envOf(name)]).join('|'))
    expect(globSync('src/**/*.ts').filter((file) => words.test(readFileSync(file, 'utf8')))).toEqual([])
  })
})
