interface Command {
  readonly line: string
  /** What the page shows of its outcome. */
  readonly outcome: string
}
/** Of the console blocks of a page, in their order. */
export const commandsIn = (page: string): readonly Command[] =>
  [...page.matchAll(/^```console$(.*?)^```$/gms)]
    .flatMap(([, block = '']) => block.split(/^\$ /m).slice(1))
    .map((each) => each.split('\n'))
    .map(([line = '', ...rest]) => ({ line, outcome: rest.join('\n') }))

export const wordsOf = (line: string) =>
  (line.match(/(?:'[^']*'|[^\s'])+/g) ?? []).map((word) => word.replaceAll("'", ''))
/** Columns are as wide as they are, and ages and what `…` stands for may be any. */
export const plain = (text: string) =>
  text
    .trim()
    .replaceAll(/ +/g, ' ')
    .replaceAll(/\b(\d+[smh])+\b/g, 'AGE')
export const patternOf = (outcome: string) =>
  new RegExp(`^${plain(outcome).split('…').map(RegExp.escape).join('.*')}$`, 's')
