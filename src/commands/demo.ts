import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { kindsOf } from '../family.ts'
import { PREFIX } from '../process/metrics.ts'
import { runProcess } from '../process/process.ts'
import { SERVING } from '../process/reviews.ts'
import type { Ready } from '../process/running.ts'
import type { Command } from './command.ts'
import { embeddedCluster, servingOn } from './webhook.ts'

/** Next to dist in a packed package, two folders up from here in a clone. */
const SAMPLES = ['../manifests/samples', '../../manifests/samples']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find(existsSync)

export const demo: Command = {
  settings: SERVING,
  usual: {
    host: '127.0.0.1',
    logLevel: 'warn',
    drainSeconds: 0, // there is no other replica
    seed: SAMPLES === undefined ? [] : [fromHere(`${SAMPLES}/good`)],
  },
  run(config, world, { families }) {
    const onReady = (ready: Ready) => world.err(whatToTry(ready, config.seed))
    const parts = servingOn(embeddedCluster, kindsOf(families))
    return runProcess({ config, prefix: PREFIX, parts, onReady }, world)
  },
}

function whatToTry({ address, health, metrics, ca }: Ready, seed: readonly string[]): string {
  const review = `npx --no-install tars-admission review --server ${address} --ca ${ca} -f ${fromHere(SAMPLES ?? 'FOLDER')}`
  return `
tars-admission answers reviews at ${address}, on an embedded cluster that holds ${seed.join(', ') || 'nothing'}.
In another terminal:

  ${review}/good/tservers.yaml
  ${review}/bad/tserver-servant-names.yaml   # refused, exit code 1

  curl '${health}/readyz?verbose'
  curl '${metrics}/metrics'

Ctrl-C ends it.
`
}

/** The command as a person types it. */
function fromHere(path: string): string {
  const short = relative(process.cwd(), path)
  return short.startsWith('..') ? path : short
}
