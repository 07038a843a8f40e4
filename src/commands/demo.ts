import type { Command } from './command.ts'
import { type Ready, SERVING } from './serve.ts'
import { runWebhook } from './webhook.ts'

const SAMPLES = 'manifests/samples'

export const demo: Command = {
  doc: 'serves reviews on an embedded cluster that holds the samples, and says what to try',
  settings: SERVING,
  usual: { cluster: 'memory', host: '127.0.0.1', seed: [`${SAMPLES}/good`] },
  run: (config, world) => runWebhook(config, world, (ready) => world.err(whatToTry(ready))),
}

function whatToTry({ address, health, metrics, ca }: Ready): string {
  const review = `npx --no-install tars-admission review --server ${address} --ca ${ca} -f ${SAMPLES}`
  return `
tars-admission answers reviews at ${address}, on an embedded cluster that holds ${SAMPLES}/good.
In another terminal:

  ${review}/good/ttemplates.yaml
  ${review}/bad/ttemplate-without-parent.yaml   # refused, exit code 1

  curl ${health}/readyz?verbose
  curl ${metrics}/metrics

Ctrl-C ends it.
`
}
