import { onTestFinished } from 'vitest'
import { isTree } from '../../../src/schema.ts'
import { type Running, running } from '../../support/world.ts'

export const PORTS = ['--port=0', '--metrics-port=0', '--health-port=0', '--drain-seconds=0']
export const WEBHOOK = ['webhook', '--cluster=memory', '--host=127.0.0.1', ...PORTS]

/** Stopped with the test, if not by it. */
export function serving(...args: string[]): Running {
  const run = running([...WEBHOOK, ...args])
  onTestFinished(async () => void (await run.stop()))
  return run
}
export async function ready(run: Running) {
  const line: unknown = JSON.parse(await run.firstLine)
  const { address, health, metrics, ca } = isTree(line) ? line : {}
  return { line, address: String(address), health: String(health), metrics: String(metrics), ca: String(ca) }
}

export async function textAt(url: string): Promise<string> {
  return (await fetch(url)).text()
}
