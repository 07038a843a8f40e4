import { Fault } from '../../../faults.ts'

/** Ten times the largest object that an API server takes. What is longer is no line, and would take all the memory. */
const LONGEST = 32 * 1024 * 1024

/** The lines of a stream, wherever its chunks are cut. A line without an end is not handed out. */
export async function* linesOf(chunks: AsyncIterable<string>, longest = LONGEST): AsyncGenerator<string> {
  let begun = ''
  for await (const chunk of chunks) {
    const [rest = '', ...others] = chunk.split('\n')
    const lines = [begun + rest, ...others]
    begun = lines.pop() ?? ''
    if (begun.length > longest) throw new Fault('ANSWER_TOO_LARGE', `a line does not end within ${longest} characters`)
    yield* lines
  }
}

/** All of it as one text, if it is not more than that. */
export async function wholeOf(chunks: AsyncIterable<string>, most: number): Promise<string> {
  let whole = ''
  for await (const chunk of chunks) {
    whole += chunk
    if (whole.length > most) throw new Fault('ANSWER_TOO_LARGE', `the answer does not end within ${most} characters`)
  }
  return whole
}
