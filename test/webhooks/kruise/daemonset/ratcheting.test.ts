import { describe, expect, it } from 'vitest'
import { aDaemonSet, anEntry } from '../../../support/builders/patched-daemonsets.ts'
import { findingsIn, OFF } from './reviewed.ts'

const AT = 'metadata.annotations[daemonset.kruise.io/patches]'
const selecting = (selector: unknown) => ({ ...anEntry(), selector })
const ten = Array.from({ length: 10 }, (_, i) => selecting({ matchLabels: { disk: `d${i}` } }))
/** A patch that no recursion can walk. */
const deep = (innermost: string, more = '') =>
  `[{"selector":{"matchLabels":{"a":"b"}},"patch":{"spec":${'{"a":['.repeat(20_000)}${innermost}${']}'.repeat(20_000)}}}${more}]`

describe('ratcheting', () => {
  const old = selecting({})
  const bad = anEntry(undefined, { priority: 1.5 })
  const eleven = [...ten, anEntry()]
  const changed = { metadata: { labels: { app: 'agent', v: '2' } }, spec: { containers: [] } }
  const image = { metadata: { labels: { app: 'agent' } }, spec: { containers: [{ name: 'agent', image: 'agent:2' }] } }
  const forty = Array.from({ length: 40 }, (_, i) => selecting({ matchLabels: { disk: `d${i}` } }))
  it.each([
    {
      name: 'PATCH-RAT-1 labels of an invalid object may change',
      prev: [old],
      next: [old],
      more: { annotations: { v: '2' } },
      found: [],
    },
    {
      name: 'PATCH-RAT-1 an unreadable list may stay',
      prev: '{',
      next: '{',
      more: { annotations: { v: '2' } },
      found: [],
    },
    {
      name: 'PATCH-RAT-1 a list that is too deep may stay',
      prev: deep('{"a":1,"b":2}'),
      next: deep('{"b":2,"a":1}'),
      more: { annotations: { v: '2' } },
      found: [],
    },
    {
      name: 'PATCH-RAT-1 but not become another',
      prev: deep('{"a":1,"b":2}'),
      next: deep('{"b":2,"a":2}'),
      more: {},
      found: [`PATCH-V-04 ${AT}[0].patch`],
    },
    { name: 'PATCH-RAT-1 but not another one', prev: '{', next: '[', more: {}, found: [`PATCH-V-02 ${AT}`] },
    {
      name: 'PATCH-RAT-2 an old entry warns',
      prev: [old],
      next: [old, bad],
      more: {},
      found: [`PATCH-V-09 ${AT}[1].priority`, `-PATCH-V-07 ${AT}[0].selector`],
    },
    {
      name: 'PATCH-RAT-2 wherever it stands now',
      prev: [old, bad],
      next: [bad],
      more: {},
      found: [`-PATCH-V-09 ${AT}[0].priority`],
    },
    {
      name: 'PATCH-RAT-2 an old entry that is too deep warns',
      prev: deep('1'),
      next: deep('1', ',{}'),
      more: {},
      found: [`PATCH-V-04 ${AT}[1].patch`, `PATCH-V-06 ${AT}[1].selector`, `-PATCH-V-04 ${AT}[0].patch`],
    },
    {
      name: 'PATCH-RAT-2 a long list may get shorter',
      prev: [...eleven, bad],
      next: eleven,
      more: {},
      found: [`-PATCH-V-03 ${AT}`],
    },
    {
      name: 'PATCH-RAT-2 but not longer',
      prev: eleven,
      next: [...eleven, anEntry()],
      more: {},
      found: [`PATCH-V-03 ${AT}`],
    },
    {
      name: 'PATCH-RAT-2 but not change',
      prev: eleven,
      next: [...ten, anEntry({})],
      more: {},
      found: [`PATCH-V-03 ${AT}`],
    },
    {
      name: 'PATCH-RAT-2 an entry behind those that are judged may not change either',
      prev: forty,
      next: forty.with(35, selecting({ matchLabels: { disk: 'other' } })),
      more: {},
      found: [`PATCH-V-03 ${AT}`],
    },
    {
      name: 'PATCH-RAT-2 it may go',
      prev: forty,
      next: forty.toSpliced(35, 1),
      more: {},
      found: [`-PATCH-V-03 ${AT}`],
    },
    {
      name: 'PATCH-RAT-3 a list that is too long to be judged whole meets no other template',
      prev: forty,
      next: forty,
      more: { template: changed },
      found: [`PATCH-V-03 ${AT}`],
    },
    {
      name: 'PATCH-RAT-3 one that is judged whole does',
      prev: forty.slice(8),
      next: forty.slice(8),
      more: { template: image },
      found: [`-PATCH-V-03 ${AT}`],
    },
    {
      name: 'PATCH-RAT-2 a new template brings the warnings back',
      prev: [old],
      next: [old],
      more: { template: changed },
      found: [`-PATCH-V-07 ${AT}[0].selector`],
    },
    {
      name: 'PATCH-RAT-4 the gate is off',
      prev: [],
      next: [old, { ...anEntry(), x: 1 }],
      more: {},
      settings: OFF,
      found: [`-PATCH-V-04 ${AT}[1]`],
    },
    {
      name: 'PATCH-RAT-4 the gate is off and the list unreadable',
      prev: [],
      next: '{',
      more: {},
      settings: OFF,
      found: [`-PATCH-V-02 ${AT}`],
    },
  ])('$name', async ({ prev, next, more, found, settings = {} }) => {
    const around = { prev: aDaemonSet({ annotation: prev }), settings }
    expect(await findingsIn(aDaemonSet({ annotation: next, ...more }), around)).toEqual(found)
  })
})
