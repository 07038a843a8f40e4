import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../cluster/control-plane.ts'
import { imageFlags } from '../support/image.ts'
import { apiServerOf, type ListingServer } from './api-server-of.ts'
import type { Measurement, Setting } from './setting.ts'
import { quotients, spreadOf } from './table.ts'

/** From the start of the process until the first connection is taken. */
export const start: Measurement = {
  ids: ['PF-15'],
  async measure(setting) {
    const rounds = setting.quick ? 5 : 25
    await using api = await apiServerOf({})
    const measured: Record<'empty' | 'given' | 'issued', number[]> = { empty: [], given: [], issued: [] }
    for (let round = 0; round < rounds; round += 1) {
      measured.empty.push(await toItsEnd())
      measured.given.push(await toListening(setting, [...to(api), '--certs=files', `--cert-dir=${setting.folder}`]))
      measured.issued.push(await toListening(setting, [...to(api), '--certs=self']))
    }
    const { empty, given, issued } = measured
    const times = spreadOf(quotients(given, empty), 1, ' ×')
    const beside = `an empty script ${spreadOf(empty, 0, ' ms')}`
    const what = 'process start to TLS listening, bundled'
    return [
      {
        id: 'PF-15',
        what: `${what}, with a given pair`,
        goal: '≤ 130 ms',
        measured: spreadOf(given, 0, ' ms'),
        beside,
      },
      { id: 'PF-15', what: 'the same by an empty script, start to end', goal: '≤ 9 ×', measured: times, beside },
      { id: 'PF-15', what: `${what}, with a new CA and pair`, goal: '–', measured: spreadOf(issued, 0, ' ms'), beside },
    ]
  },
}

const to = ({ kubeconfig }: ListingServer) => ['--kubeconfig', kubeconfig]

async function toItsEnd(): Promise<number> {
  const started = performance.now()
  await once(spawn(process.execPath, ['--eval', ''], { stdio: 'ignore' }), 'exit')
  return performance.now() - started
}

async function toListening({ bundle }: Setting, flags: readonly string[]): Promise<number> {
  const port = await freePort()
  const ports = ['--host=127.0.0.1', `--port=${port}`, '--metrics-port=0', '--health-port=0']
  const args = [...imageFlags(), bundle.program, 'webhook', ...ports, ...flags]
  const started = performance.now()
  const child = spawn(process.execPath, args, { stdio: 'ignore', env: bundle.env })
  while (!(await takes(port))) await sleep(1)
  const elapsed = performance.now() - started
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  return elapsed
}

function takes(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
