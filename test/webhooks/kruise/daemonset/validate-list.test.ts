import { describe, expect, it } from 'vitest'
import { APPS_DAEMONSET, KRUISE_DAEMONSET } from '../../../../webhooks/kruise/daemonsets.ts'
import { aDaemonSet, anEntry } from '../../../support/builders/patched-daemonsets.ts'
import { findingsIn, wordsTo } from './reviewed.ts'

const AT = 'metadata.annotations[daemonset.kruise.io/patches]'
const selecting = (selector: unknown) => ({ ...anEntry(), selector })
const by = (expression: object) => selecting({ matchExpressions: [expression] })
const ten = Array.from({ length: 10 }, (_, i) => selecting({ matchLabels: { disk: `d${i}` } }))
/** `{"metadata":{"annotations":{"a":""}}}` has 37 bytes, and ä two. */
const sized = (bytes: number) =>
  anEntry({
    metadata: { annotations: { a: 'ä'.repeat((bytes - 37) >> 1).padEnd(bytes - 37 - ((bytes - 37) >> 1), 'a') } },
  })

const rows = [
  {
    name: 'PATCH-V-03 at most ten entries',
    bad: [...ten, anEntry()],
    good: ten,
    path: '',
    says: 'too many patches: 11, at most 10 are allowed',
  },
  {
    name: 'PATCH-V-04 an entry has three fields',
    bad: [anEntry(undefined, { weight: 1 })],
    good: [anEntry(undefined, { priority: 1 })],
    path: '[0]',
    says: 'unknown field "weight"; allowed: selector, patch, priority',
  },
  {
    name: 'PATCH-V-04 an entry is an object',
    bad: [anEntry(), 7],
    good: [anEntry()],
    path: '[1]',
    says: 'expected an object',
  },
  {
    name: 'PATCH-V-05 a patch has at most 1024 bytes, in UTF-8 and canonical',
    bad: [sized(1_025)],
    good: [sized(1_024)],
    path: '[0].patch',
    says: 'patch is 1025 bytes as compact JSON, at most 1024 are allowed',
  },
  {
    name: 'PATCH-V-06 an entry has a selector',
    bad: [{ patch: {} }],
    good: [anEntry()],
    path: '[0].selector',
    says: 'selector is required',
  },
  {
    name: 'PATCH-V-06 a selector has two fields',
    bad: [selecting({ matchLabels: { a: 'b' }, matchFields: [] })],
    good: [selecting({ matchLabels: { a: 'b' }, matchExpressions: [] })],
    path: '[0].selector',
    says: 'unknown field "matchFields"; allowed: matchLabels, matchExpressions',
  },
  {
    name: 'PATCH-V-07 a selector selects',
    bad: [selecting({ matchLabels: {} })],
    good: [by({ key: 'gpu', operator: 'Exists' })],
    path: '[0].selector',
    says: 'empty selector; to change every node edit spec.template',
  },
  {
    name: 'PATCH-V-08 only operators of label selectors',
    bad: [by({ key: 'disks', operator: 'Gt', values: ['3'] })],
    good: [by({ key: 'disks', operator: 'NotIn', values: ['3'] })],
    path: '[0].selector.matchExpressions[0].operator',
    says: 'operator Gt is not a label selector operator',
  },
  {
    name: 'PATCH-V-08 In needs values',
    bad: [by({ key: 'disks', operator: 'In' })],
    good: [by({ key: 'disks', operator: 'In', values: [''] })],
    path: '[0].selector.matchExpressions[0].values',
    says: "must be specified when operator is 'In' or 'NotIn'",
  },
  {
    name: 'PATCH-V-09 a priority is an int32',
    bad: [anEntry(undefined, { priority: 2 ** 31 })],
    good: [anEntry(undefined, { priority: -(2 ** 31) })],
    path: '[0].priority',
    says: 'must be an integer between -2147483648 and 2147483647',
  },
  {
    name: 'PATCH-V-19 a number keeps its value',
    bad: [anEntry({ spec: { terminationGracePeriodSeconds: 2 ** 53 } })],
    good: [anEntry({ spec: { terminationGracePeriodSeconds: 30 } })],
    path: '[0].patch.spec.terminationGracePeriodSeconds',
    says: 'number out of range',
  },
] as const

const inAnnotation = (list: unknown) => aDaemonSet({ annotation: list })
const inField = (list: unknown) => ({ ...aDaemonSet({ field: list }), apiVersion: 'apps.kruise.io/v1beta1' })

describe.each(rows)('$name', ({ name, bad, good, path, says }) => {
  const [id = ''] = name.split(' ')
  it.each([
    { carrier: AT, of: APPS_DAEMONSET, made: inAnnotation },
    { carrier: 'spec.patches', of: KRUISE_DAEMONSET, made: inField },
  ])('in $carrier', async ({ carrier, of, made }) => {
    const [decision = '', ...warnings] = await wordsTo(made(bad), { of })
    expect(decision).toMatch(new RegExp(`^422 Invalid: .*; .* \\(${id}\\)$`))
    expect(decision).toContain(`${carrier}${path}: ${says}; `)
    expect(warnings).toEqual([])
    expect(await findingsIn(made(good), { of })).toEqual([])
  })
})

describe('PATCH-V-02 an annotation is a JSON array', () => {
  it.each([
    { name: 'YAML', text: '- selector: {}', says: `422 Invalid: ${AT}: not a JSON array: ` },
    { name: 'an object', text: '{}', says: `422 Invalid: ${AT}: not a JSON array: expected an array; ` },
    {
      name: 'a repeated key',
      text: '[{"patch":1,"patch":2}]',
      says: `422 Invalid: ${AT}: not a JSON array: duplicate key "patch"; `,
    },
    { name: 'nothing', text: '', says: 'allowed' },
    { name: 'an empty list', text: '[]', says: 'allowed' },
  ])('$name', async ({ text, says }) => {
    const [decision = ''] = await wordsTo(aDaemonSet({ annotation: text }))
    expect(decision.slice(0, says.length)).toBe(says)
  })

  it('beside a readable field too', async () => {
    const both = { ...aDaemonSet({ annotation: '{}', field: [anEntry()] }), apiVersion: 'apps.kruise.io/v1beta1' }
    expect(await findingsIn(both, { of: KRUISE_DAEMONSET })).toEqual([`PATCH-V-02 ${AT}`])
  })

  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const entry = (patch: string, more = '') => `[{"selector":{"matchLabels":{"a":"b"}},"patch":${patch}${more}}]`
  const selecting = (selector: string) => `[{"selector":${selector},"patch":{}}]`
  it.each([
    { name: 'as a list', text: nested(100_000), found: 'PATCH-V-04', at: '[0]' },
    { name: 'in a patch', text: entry(`{"spec":${nested(100_000)}}`), found: 'PATCH-V-04', at: '[0].patch' },
    { name: 'in place of a patch', text: entry(nested(100_000)), found: 'PATCH-V-04', at: '[0].patch' },
    {
      name: 'in a priority',
      text: entry('{}', `,"priority":${nested(100_000)}`),
      found: 'PATCH-V-09',
      at: '[0].priority',
    },
    {
      name: 'in a selector',
      text: selecting(`{"matchLabels":{"a":${nested(100_000)}}}`),
      found: 'PATCH-V-08',
      at: '[0].selector.matchLabels[a]',
    },
    {
      name: 'in an expression',
      text: selecting(`{"matchExpressions":${nested(100_000)}}`),
      found: 'PATCH-V-08',
      at: '[0].selector.matchExpressions[0]',
    },
  ])('however deep it is, $name', async ({ text, found, at }) => {
    expect(await findingsIn(aDaemonSet({ annotation: text }))).toEqual([`${found} ${AT}${at}`])
  })
})

describe('PATCH-V-01 PATCH-API-3 a field and an annotation', () => {
  const both = (field: unknown, annotation: unknown) => ({
    ...aDaemonSet({ field, annotation }),
    apiVersion: 'apps.kruise.io/v1beta1',
  })
  it.each([
    {
      name: 'that differ are refused',
      field: [anEntry()],
      annotation: [anEntry({ spec: {} })],
      found: [`PATCH-V-01 ${AT}`],
    },
    {
      name: 'are equal in any spelling',
      field: [{ ...anEntry(), priority: 1 }],
      annotation: [{ priority: 1, ...anEntry() }],
      found: [],
    },
    { name: 'of which one is empty', field: [], annotation: [anEntry()], found: [] },
    {
      name: 'of which the field counts',
      field: [{ ...anEntry(), x: 1 }],
      annotation: [],
      found: ['PATCH-V-04 spec.patches[0]'],
    },
    {
      name: 'of which the annotation counts',
      field: [],
      annotation: [{ ...anEntry(), x: 1 }],
      found: [`PATCH-V-04 ${AT}[0]`],
    },
  ])('$name', async ({ field, annotation, found }) => {
    expect(await findingsIn(both(field, annotation), { of: KRUISE_DAEMONSET })).toEqual(found)
  })
})

it('PATCH-V-07 a selector with a misspelt field is not called empty', async () => {
  const list = [selecting({ matchLabel: { a: 'b' } })]
  expect(await findingsIn(aDaemonSet({ annotation: list }))).toEqual([`PATCH-V-06 ${AT}[0].selector`])
})

it('all violations are told at once', async () => {
  const list = [selecting({}), anEntry(undefined, { priority: 1.5 }), sized(1_025)]
  expect(await findingsIn(aDaemonSet({ annotation: list }))).toEqual([
    `PATCH-V-05 ${AT}[2].patch`,
    `PATCH-V-07 ${AT}[0].selector`,
    `PATCH-V-09 ${AT}[1].priority`,
  ])
})
