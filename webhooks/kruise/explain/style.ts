import type { Markup } from './markup.ts'

/** Colours of both themes; a word stands beside each colour that says something. */
export const STYLE: Markup = {
  markup: `
:root {
  --page: #f6f7f9; --card: #ffffff; --ink: #16202c; --quiet: #55616f; --line: #d5dbe2;
  --good: #0b5c36; --good-back: #dcf3e5; --note: #774400; --note-back: #ffeecc; --bad: #9c1a24; --bad-back: #fde3e4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #11161c; --card: #1a212a; --ink: #e6ebf0; --quiet: #a1adb9; --line: #35404c;
    --good: #8fe0b4; --good-back: #143826; --note: #ffcf7f; --note-back: #402d0c; --bad: #ffb0b3; --bad-back: #4b191d;
  }
}
* { box-sizing: border-box }
body {
  margin: 0 auto; padding: 2rem 1.5rem 4rem; max-width: 72rem;
  background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif;
}
h1 { margin: 0; font-size: 1.4rem; overflow-wrap: anywhere }
h2 { margin: 0 0 .6rem; font-size: 1.05rem; overflow-wrap: anywhere }
p { margin: .3rem 0 }
code, pre { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
article + article { margin-top: 4rem }
section { margin-top: 1.25rem; padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: 8px }
.quiet { color: var(--quiet) }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { padding: .45rem .6rem; border: 1px solid var(--line); text-align: left; vertical-align: top }
thead th { background: var(--page) }
th { font-weight: 600 }
th code, th small { display: block; font-weight: 400 }
small { font-size: 13px; color: var(--quiet) }
td.cell { text-align: center; vertical-align: middle; white-space: nowrap }
.good { color: var(--good); background: var(--good-back) }
.warn { color: var(--note); background: var(--note-back) }
.bad { color: var(--bad); background: var(--bad-back) }
.chip { display: inline-block; padding: 0 .5rem; border-radius: 6px; font-size: 13px }
.box { padding: .5rem .75rem; border-radius: 6px }
ul { margin: 0; padding: 0; list-style: none }
li { padding: .3rem 0; overflow-wrap: anywhere }
li + li { border-top: 1px solid var(--line) }
.bar { display: inline-block; width: 10rem; height: .6rem; margin-right: .75rem; border: 1px solid var(--line); border-radius: 4px; overflow: hidden }
.bar i { display: block; height: 100%; background: currentColor }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 0 0 .75rem }
dt { color: var(--quiet) }
dd details { margin: 0 }
dd { margin: 0; overflow-wrap: anywhere }
details { margin-top: .75rem }
summary { cursor: pointer; padding: .25rem 0 }
`,
}
