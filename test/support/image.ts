import { readFileSync } from 'node:fs'

/** What Node is told in the image, so that whoever measures or runs the bundle elsewhere tells it the same. */
export function imageFlags(): readonly string[] {
  const [, words] = /^ENTRYPOINT (\[.*\])$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? []
  if (words === undefined) throw new Error('the Dockerfile has no ENTRYPOINT in JSON on one line')
  const [, ...rest] = JSON.parse(words) as readonly string[]
  return rest.slice(0, -1)
}
