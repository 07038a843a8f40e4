import { readFileSync } from 'node:fs'

/** What Node is told in the image, so that whoever measures or runs the bundle elsewhere tells it the same. */
export function imageFlags(): readonly string[] {
  const [, words] = /^ENTRYPOINT (\[.*\])$/m.exec(readFileSync('Dockerfile', 'utf8')) ?? []
  if (words === undefined) throw new Error('the Dockerfile has no ENTRYPOINT in JSON on one line')
  const [, ...rest] = JSON.parse(words) as readonly string[]
  return rest.slice(0, -1)
}

/** The environment of the image but for its folders. */
export function imageEnv(): Readonly<Record<string, string>> {
  const lines = readFileSync('Dockerfile', 'utf8').matchAll(/^ENV (\w+)=([^/\s]+)$/gm)
  return Object.fromEntries(Array.from(lines, ([, name, value]) => [name, value]))
}
