import { describe, expect, it } from 'vitest'
import { asHtml } from '../../../../webhooks/kruise/explain/html.ts'
import { asText } from '../../../../webhooks/kruise/explain/text.ts'
import { anExplanation, patchFor } from '../../../support/builders/explanations.ts'
import { aDaemonPod, LARGE } from '../../../support/builders/rollouts.ts'

const env = (value: string) => ({ env: [{ name: 'MODE', value }] })
const MANY = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`m${i}`, { disk: 'small' }]))
const TWO = [
  patchFor('disk', 'large', env('a')),
  patchFor('gpu', 'yes', env('b')),
  patchFor('disk', 'small', { $patch: 'merge' }),
  patchFor('zone', 'a', { image: 'i'.repeat(1_000) }),
  patchFor('zone', 'b', { ...env('c'), tty: true }, 2),
  { ...LARGE, selector: { matchExpressions: [{ key: 'rack', operator: 'In', values: ['1', '2'] }] } },
  { ...LARGE, selector: { matchExpressions: [{ key: 'rack', operator: 'NotIn', values: ['3'] }] } },
  {
    ...LARGE,
    selector: {
      matchExpressions: [
        { key: 'tpu', operator: 'Exists' },
        { key: 'old', operator: 'DoesNotExist' },
      ],
    },
  },
  { ...LARGE, selector: {} },
  { ...LARGE, selector: { matchLabels: { '-': 'x' } } },
]
const NODES = { n1: { disk: 'large', gpu: 'yes', zone: 'b', rack: '3' }, n3: { rack: '3' }, ...MANY }
const FULL = anExplanation({ list: TWO, nodes: NODES, pods: [aDaemonPod(), aDaemonPod({ node: 'n3' })] })
const HOSTILE = `<script src=x>alert(1)</script>"'&\u001b[2J\u202e`
const STEERING = /[\p{Cc}\p{Cf}]/u
const STRANGE = anExplanation({
  list: [patchFor('disk', 'large', { image: HOSTILE, [HOSTILE]: HOSTILE })],
  nodes: { [HOSTILE]: { disk: 'large' }, n2: { disk: HOSTILE } },
  pods: [aDaemonPod({ name: HOSTILE, node: HOSTILE })],
})

describe('PATCH-DBG-1 as text', () => {
  it('patches, groups with their changes and pods, overlaps and limits', () => {
    const [one, other] = [patchFor('disk', 'large', env('a')), patchFor('gpu', 'yes', env('b'))]
    const nodes = { n1: { disk: 'large', gpu: 'yes' }, n3: {} }
    const { groups, ...rest } = anExplanation({
      list: [one, other],
      nodes,
      pods: [aDaemonPod(), aDaemonPod({ node: 'n3' })],
    })
    const stamp = { component: 'c1', applied: '0,1', templateHash: 't1' }
    expect(asText([{ ...rest, groups: groups.map((group) => (group.stamp ? { ...group, stamp } : group)) }])).toBe(
      `daemonsets.apps demo/agent (metadata.annotations[daemonset.kruise.io/patches])
  patch 0: disk=large; priority 0; 1 Node
  patch 1: gpu=yes; priority 0; 1 Node

group 1, patch 0, then 1: 1 Node (n1)
  labels: disk=large,gpu=yes
  stamp: component c1, template t1
  + spec.containers[agent].env[MODE].value: "b"
  pods: 1 unpatched
  pod agent-n1 on n1: unpatched

group 2, no patch: 1 Node (n3)
  labels: !disk,!gpu
  pods: 1 current

overlap: spec.containers[agent].env[MODE].value is set by patches 0, 1; of equal priority, the last of these counts (group 1)
`,
    )
  })

  it.each([
    { name: 'an operator', words: 'patch 5: rack in (1,2); priority 0; 0 Nodes' },
    { name: 'its opposite', words: 'patch 6: rack notin (3); priority 0; 9 Nodes' },
    { name: 'a label of any value, and none', words: 'patch 7: tpu,!old;' },
    { name: 'an empty selector', words: 'patch 8: empty, so it applies nowhere' },
    { name: 'an invalid selector', words: 'patch 9: invalid, so it applies nowhere' },
    { name: 'what cannot be merged', words: 'cannot be merged, so pods are refused: patch 2: ' },
    { name: 'what is near a limit', words: 'limit: patches in the list: 10 of 10 patches, near the limit' },
    { name: 'what is over one', words: '1024 bytes, over the limit' },
    { name: 'overlaps that no Node has now', words: 'they meet on no Node now' },
    { name: 'a few of many Nodes', words: '9 Nodes (m0, m1, m2, m3, m4 and 4 more)' },
  ])('$name', ({ words }) => {
    expect(asText([FULL])).toContain(words)
  })

  it('a list that cannot be read', () => {
    expect(asText([anExplanation({ list: '[{]' })])).toContain('the list is left out, and pods start as the template')
  })

  it('cannot steer a terminal', () => {
    expect(asText([STRANGE]).replaceAll('\n', '')).not.toMatch(STEERING)
    expect(asText([STRANGE])).toContain('\\u{1b}[2J\\u{202e}')
  })
})

describe('PATCH-DBG-1 as a page', () => {
  const page = asHtml([FULL, anExplanation({ list: '[{]' }), anExplanation({ list: [] })])

  it.each([
    { name: 'the place of a patch in the order', words: '<td class="cell warn">1, overlaps</td>' },
    { name: 'a patch that is not applied', words: '<td class="cell quiet">not applied</td>' },
    { name: 'a patch that cannot be merged', words: '<td class="cell bad">1, cannot be merged</td>' },
    {
      name: 'a patch that meets no other',
      words: '<td class="cell good">1, applied</td>',
      page: asHtml([anExplanation()]),
    },
    { name: 'overlaps that a priority decides', words: '<span class="chip warn">overridden</span>' },
    {
      name: 'overlaps that only the order decides',
      words: '<span class="chip bad">by order alone</span>',
      page: asHtml([anExplanation({ list: TWO.slice(0, 2), nodes: NODES })]),
    },
    { name: 'equal values', words: '<span class="chip good">equal</span>' },
    {
      name: 'overlaps on no Node',
      words: '<span class="chip good">apart</span>',
      page: asHtml([anExplanation({ list: TWO.slice(0, 2) })]),
    },
    { name: 'no overlap', words: 'No field is set by two patches', page: asHtml([anExplanation()]) },
    { name: 'what is near a limit', words: '<span class="chip warn">near the limit</span>' },
    { name: 'what is over one', words: '<span class="chip bad">over the limit</span>' },
    { name: 'a pod with its state', words: '<span class="chip warn">unpatched</span>' },
    { name: 'a list that cannot be read', words: '<b>The list is left out.</b>' },
  ])('$name, in words', ({ words, page: own = page }) => {
    expect(own).toContain(words)
  })

  it('takes nothing from elsewhere, and runs nothing', () => {
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
    expect(page).not.toMatch(/<(script|link|img|iframe|object|form)|url\(|@import|src=|href=|\son\w+=/i)
  })

  it('is read in both themes', () => {
    expect(page).toContain('@media (prefers-color-scheme: dark)')
    expect(page).toContain('name="color-scheme" content="light dark"')
  })

  it('all text of objects is escaped', () => {
    const strange = asHtml([STRANGE])
    expect(strange).not.toContain('<script')
    expect(strange.replaceAll('\n', '')).not.toMatch(STEERING)
    expect(strange.split('&#60;script src=x&#62;alert(1)&#60;/script&#62;').length).toBeGreaterThan(5)
  })
})
