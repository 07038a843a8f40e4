import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { startControlPlane } from './control-plane.ts'
import { expectDone, IDENTITY, install, type Product } from './product.ts'

/**
 * `npm run build && node test/cluster/start-up.ts`: how long the bundled webhook takes from its start to ready, on a real
 * API server with 1,000 TTemplates, beside a process that does nothing but let Fastify listen (CL-6). In turns.
 */
const ROUNDS = 7
const TEMPLATES = 1_000
const PATH = '/apis/k8s.tars.io/v1beta2/namespaces/default/ttemplates'
const BARE = `import { fastify } from 'fastify'
await fastify().listen({ port: 0 })
console.log('listening')`

const cluster = await startControlPlane()
let product: Product | undefined
try {
  product = await install(cluster)
  await fill()
  const kubeconfig = await cluster.kubeconfigFor(IDENTITY)
  const ports = ['--host=127.0.0.1', '--port=0', '--metrics-port=0', '--health-port=0']
  const ours = ['dist/tars-admission.js', 'webhook', '--kubeconfig', kubeconfig, ...ports]
  const [bare, listed, ready]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await timeToFirstLine(['--input-type=module', '--eval', BARE]))
    listed.push(await timeOf(() => cluster.request('GET', `${PATH}?limit=500`)))
    ready.push(await timeToFirstLine(ours))
  }
  const rows = { 'bare Fastify, start to listening': bare, 'a list of 500': listed, 'ours, start to ready': ready }
  for (const [what, values] of Object.entries(rows)) process.stdout.write(`${what}: ${spreadOf(values)} ms\n`)
} finally {
  await product?.close()
  await cluster.stop()
}

async function fill(): Promise<void> {
  const template = (name: string) => ({
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TTemplate',
    metadata: { name },
    spec: { parent: 't-0', content: '<tars/>' },
  })
  const items = Array.from({ length: TEMPLATES }, (_, i) => template(`t-${i}`))
  const stdin = JSON.stringify({ apiVersion: 'v1', kind: 'List', items })
  expectDone(await cluster.kubectl(['create', '-f', '-'], { stdin }))
}

function timeToFirstLine(args: readonly string[]): Promise<number> {
  return timeOf(async () => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    await once(createInterface(child.stdout), 'line')
    child.kill('SIGKILL')
  })
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await act()
  return performance.now() - started
}

function spreadOf(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other).map(Math.round)
  return `${sorted[Math.floor(sorted.length / 2)]} (${sorted.at(0)} … ${sorted.at(-1)})`
}
