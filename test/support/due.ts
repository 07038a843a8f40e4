import { readFileSync } from 'node:fs'

/** Of tars.md: -M, -V, -S, W and GW, but what belongs to later versions. Rules of a team's own are not among them. */
export const due: readonly string[] = JSON.parse(
  readFileSync(new URL('../fixtures/tars-ids.json', import.meta.url), 'utf8'),
)
