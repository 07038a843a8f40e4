/** More than any answer: a page of records has about half a megabyte. */
export const MOST_BYTES = 8 * 1024 * 1024

/** The text of a body, or nothing where it is longer. */
export async function boundedText({ body }: Response, most = MOST_BYTES): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.byteLength
    if (length > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
