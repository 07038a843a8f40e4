import type { ExplainedPod, LabelGroup, TemplateChange } from './explanation.ts'
import { html, type Markup } from './markup.ts'
import { appliedWords, counted, tally } from './text.ts'

export function groupSection(group: LabelGroup, at: number): Markup {
  const { nodes, applied, stamp, problem, changes, pods } = group
  const stamped =
    stamp === undefined
      ? []
      : html`<dt>component</dt><dd><code>${stamp.component}</code></dd>
<dt>patched template</dt><dd><code>${stamp.templateHash}</code></dd>`
  return html`<section>
<h2>Group ${at + 1}: ${appliedWords(applied)}</h2>
<dl><dt>Nodes</dt><dd>${nodeList(nodes)}</dd>
${stamped}</dl>
${problem === undefined ? [] : html`<p class="box bad"><b>Cannot be merged</b>, so pods of these Nodes are refused: ${problem}</p>`}
${problem === undefined ? changeTable(changes) : []}
${pods.length === 0 ? [] : podTable(pods)}
</section>`
}

const FEW = 8
function nodeList(nodes: readonly string[]): Markup {
  if (nodes.length <= FEW) return html`${nodes.join(', ')}`
  return html`<details><summary>${counted(nodes.length, 'Node')}</summary>${nodes.map((name) => html`${name} `)}</details>`
}

const MOST_CHANGES = 500
function changeTable(changes: readonly TemplateChange[]): Markup {
  if (changes.length === 0) return html`<p class="quiet">The template stays as it is.</p>`
  return html`<div class="wide"><table>
<thead><tr><th scope="col">Field of the template</th><th scope="col">before</th><th scope="col">after</th></tr></thead>
<tbody>${changes.slice(0, MOST_CHANGES).map(
    ({ path, before, after }) => html`
<tr><td><code>${path}</code></td>${side(before, 'bad')}${side(after, 'good')}</tr>`,
  )}</tbody>
</table></div>`
}

function side(value: string | undefined, tone: string): Markup {
  return value === undefined
    ? html`<td class="quiet">absent</td>`
    : html`<td><code class="chip ${tone}">${value}</code></td>`
}

const TONES = { current: 'good', stale: 'warn', unpatched: 'warn', marked: 'warn', ending: 'quiet' } as const
const MOST_PODS = 1_000
function podTable(pods: readonly ExplainedPod[]): Markup {
  return html`<details${pods.length <= FEW ? html` open` : ''}><summary>Pods: ${tally(pods)}</summary>
<div class="wide"><table>
<thead><tr><th scope="col">Pod</th><th scope="col">Node</th><th scope="col">State</th></tr></thead>
<tbody>${pods.slice(0, MOST_PODS).map(
    ({ name, node, state, reason = '' }) => html`
<tr><td>${name}</td><td>${node}</td><td><span class="chip ${TONES[state]}">${state}</span> ${reason}</td></tr>`,
  )}</tbody>
</table></div></details>`
}
