import type { Explanation, LabelGroup, Overlap } from './explanation.ts'
import { groupSection } from './group-html.ts'
import { html, type Markup } from './markup.ts'
import { STYLE } from './style.ts'
import { counted, LIMIT_WORDS, overlapWords } from './text.ts'

/** One page that needs nothing else and runs nothing: a browser refuses to load anything for it. */
export function asHtml(explanations: readonly Explanation[]): string {
  const names = explanations.map(({ daemonSet }) => daemonSet).join(', ')
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Node patches of ${names}</title>
<style>${STYLE}</style>
</head>
<body>
<main>${explanations.map(articleOf)}
</main>
</body>
</html>
`.markup
}

function articleOf(explanation: Explanation): Markup {
  const { daemonSet, carrier, unreadable, groups, patches } = explanation
  const nodes = groups.reduce((sum, group) => sum + group.nodes.length, 0)
  const counts = [counted(patches.length, 'patch', 'patches'), counted(nodes, 'Node'), counted(groups.length, 'group')]
  return html`
<article>
<h1>${daemonSet}</h1>
<p class="quiet">${counts.join(', ')}. The list stands in <code>${carrier}</code>.</p>
${unreadable === undefined ? [] : html`<p class="box bad"><b>The list is left out.</b> Pods start as the template says: ${unreadable}</p>`}
${patches.length === 0 ? [] : [matrix(explanation), overlapList(explanation), limitList(explanation)]}
${groups.map(groupSection)}
</article>`
}

function matrix({ patches, groups, overlaps }: Explanation): Markup {
  const heads = patches.map(
    ({ index, selector, priority, nodes }) => html`
<th scope="col">Patch ${index}<code>${selector}</code><small>priority ${priority}, ${counted(nodes, 'Node')}</small></th>`,
  )
  const rows = groups.map(
    (group, at) => html`
<tr><th scope="row">Group ${at + 1}<small>${counted(group.nodes.length, 'Node')}</small>${group.labels
      .slice(0, MOST_LABELS)
      .map(
        (labels) => html`<code>${labels}</code>`,
      )}</th>${patches.map(({ index }) => cell(index, group, meeting(overlaps, at)))}</tr>`,
  )
  return html`<section>
<h2>Which patches act where</h2>
<p class="quiet">A number is the place of the patch in the order of application. Where patches set the same field, the later one counts.</p>
<div class="wide"><table>
<thead><tr><th scope="col">Nodes</th>${heads}</tr></thead>
<tbody>${rows}</tbody>
</table></div>
</section>`
}
const MOST_LABELS = 8

/** Overlaps that change something on the Nodes of this group. */
const meeting = (overlaps: readonly Overlap[], group: number) =>
  overlaps.filter(({ groups, decidedBy }) => groups.includes(group) && decidedBy !== 'equal values')

function cell(index: number, { applied, problem }: LabelGroup, overlaps: readonly Overlap[]): Markup {
  const place = applied.indexOf(index) + 1
  if (place === 0) return html`<td class="cell quiet">not applied</td>`
  if (problem !== undefined) return html`<td class="cell bad">${place}, cannot be merged</td>`
  return overlaps.some(({ entries }) => entries.includes(index))
    ? html`<td class="cell warn">${place}, overlaps</td>`
    : html`<td class="cell good">${place}, applied</td>`
}

function overlapList({ overlaps }: Explanation): Markup {
  const items = overlaps.slice(0, MOST_OVERLAPS).map((overlap) => {
    const [tone, word] = toneOf(overlap)
    return html`
<li><span class="chip ${tone}">${word}</span> ${overlapWords(overlap)}</li>`
  })
  return html`<section>
<h2>Overlaps</h2>
${items.length === 0 ? html`<p><span class="chip good">none</span> No field is set by two patches.</p>` : html`<ul>${items}</ul>`}
</section>`
}
const MOST_OVERLAPS = 200

function toneOf({ groups, decidedBy }: Overlap): readonly [string, string] {
  if (decidedBy === 'equal values') return ['good', 'equal']
  if (groups.length === 0) return ['good', 'apart']
  return decidedBy === 'priority' ? ['warn', 'overridden'] : ['bad', 'by order alone']
}

const LIMIT_TONES = { far: 'good', near: 'warn', over: 'bad' } as const

function limitList({ limits }: Explanation): Markup {
  const items = limits.map(({ of, is, most, unit, state }) => {
    const tone = LIMIT_TONES[state]
    return html`
<tr><td>${of}</td><td><span class="bar ${tone}"><i style="width:${Math.min(100, Math.round((100 * is) / most))}%"></i></span>${is} of ${most} ${unit}</td><td><span class="chip ${tone}">${LIMIT_WORDS[state]}</span></td></tr>`
  })
  return html`<section>
<h2>Limits</h2>
<div class="wide"><table><tbody>${items}</tbody></table></div>
</section>`
}
