import { relative } from 'node:path'
import { needsOf } from '../cluster/needs.ts'
import { controllersOf, type Family, factsIn, kindsOf } from '../family.ts'
import { factsOn, knowing } from '../process/facts.ts'
import { ourselvesIn, workerIn } from '../process/identities.ts'
import { imitating } from '../process/imitation.ts'
import { measuring } from '../process/measuring.ts'
import { asCluster } from '../process/memory-cluster.ts'
import { metricsOf, PREFIX } from '../process/metrics.ts'
import { type ProcessOptions, runProcess } from '../process/process.ts'
import { remotesOf } from '../process/remotes.ts'
import { SERVING, serving } from '../process/reviews.ts'
import type { Ready } from '../process/running.ts'
import type { Command } from './command.ts'
import { embedded } from './embedded.ts'
import { SAMPLES } from './samples.ts'
import { controlling } from './worker.ts'

export const demo: Command = {
  settings: [...SERVING, 'leaderElect', 'writesPerSecond'],
  usual: {
    host: '127.0.0.1',
    logLevel: 'warn',
    drainSeconds: 0, // there is no other replica
    seed: SAMPLES === undefined ? [] : [fromHere(`${SAMPLES}/good`)],
  },
  run(config, world, { families }) {
    const onReady = (ready: Ready) => world.err(whatToTry(ready, config.seed))
    return runProcess({ config, prefix: PREFIX, parts: demoOf(families), onReady }, world)
  },
}

/** Webhook and worker on one embedded cluster, each as the user that it is in an installation. */
function demoOf(families: readonly Family[]): ProcessOptions['parts'] {
  return async (context, opened) => {
    const { config, meter } = context
    const kinds = kindsOf(families, config.settings)
    const asked = factsIn(families)
    const memory = await embedded({ ...context, kinds, asked }, opened)
    const remotes = opened.adopt(remotesOf(), ({ stop }) => stop())
    const controllers = controllersOf(families, remotes, config.settings)
    const webhook = asCluster(memory, needsOf({ kinds }, 'webhook').reads, ourselvesIn(config.namespace))
    const worker = asCluster(memory, needsOf({ controllers }, 'worker').reads, workerIn(config.namespace))
    const client = { reader: memory, writer: worker.writer }
    const measure = measuring({ ...context, families, cached: memory }, opened)
    const facts = factsOn(worker, { ...context, asked, measure })
    return [
      knowing(facts, worker.watcher),
      ...serving({ ...context, measure, kinds, facts, cluster: webhook, metrics: metricsOf(meter, context.metrics) }),
      ...controlling({ ...context, measure, client, controllers, kinds, facts, cluster: worker }),
      imitating(memory, context),
    ]
  }
}

function whatToTry({ address, health, metrics, ca }: Ready, seed: readonly string[]): string {
  const review = `npx --no-install tars-admission review --server ${address} --ca ${ca} -f ${fromHere(SAMPLES ?? 'FOLDER')}`
  return `
tars-admission answers reviews at ${address}, on an embedded cluster that holds ${seed.join(', ') || 'nothing'}.
Its worker makes Services, workloads and records of the TServers there. The pods are imitated: nothing runs.
In another terminal:

  ${review}/good/tservers.yaml
  ${review}/bad/tserver-servant-names.yaml   # refused, exit code 1

  curl '${health}/readyz?verbose'
  curl '${metrics}/metrics'   # tars_admission_ of the webhook, tars_worker_ of the worker

Ctrl-C ends it.
`
}

/** The command as a person types it. */
function fromHere(path: string): string {
  const short = relative(process.cwd(), path)
  return short.startsWith('..') ? path : short
}
