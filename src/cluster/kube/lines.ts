/** What stands between line ends, wherever the chunks were cut; a line that nobody ended is not handed out. */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let begun = ''
  for await (const chunk of chunks) {
    const [rest = '', ...others] = chunk.split('\n')
    const lines = [begun + rest, ...others]
    begun = lines.pop() ?? ''
    yield* lines
  }
}
