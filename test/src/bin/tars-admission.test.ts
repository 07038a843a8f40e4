import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isTree } from '../../../src/schema.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { caOf } from '../../support/ca-of.ts'
import { scriptedApiServer } from '../../support/fakes/api-server.ts'
import { fileOf } from '../../support/folders.ts'
import { send, unfinishedReview } from '../../support/http-said.ts'
import { reviewsOf } from '../../support/reviews.ts'

const NODE = 'node_modules/.bin/node'
const PORTS = ['--host=127.0.0.1', '--port=0', '--metrics-port=0', '--health-port=0', '--drain-seconds=0']
const WEBHOOK = ['webhook', '--cluster=memory', '--log-level=silent', ...PORTS]

const REVIEW = JSON.stringify(reviewsOf(TTEMPLATE).creationOf(aTTemplate()))

/** As a shell starts it in a clone; gone with the test. */
const started = (...words: readonly string[]) => startedWith([], ...words)
function startedWith(flags: readonly string[], ...words: readonly string[]) {
  const child = spawn(NODE, [...flags, 'src/bin/launch.js', ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const shown = Promise.all([text(child.stdout), text(child.stderr)])
  const ended = once(child, 'exit').then(async ([code, signal]) => {
    const [out, err] = await shown
    return { code, signal, out, err }
  })
  return { child, ended }
}
/** Resolves when the log says it. */
async function messageIn({ stderr }: ChildProcess, message: string): Promise<void> {
  if (stderr === null) return
  for await (const line of createInterface(stderr)) if (line.includes(`"msg":"${message}"`)) return
}
async function firstLineOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) return ''
  const [line] = await once(createInterface(stdout), 'line')
  return String(line)
}

describe('the process', { timeout: 30_000 }, () => {
  it('ends by itself, with the exit code of the command', async () => {
    expect(await started('manifests', '--set=nothing').ended).toMatchObject({ code: 2, out: '' })
    expect(await started('--help').ended).toMatchObject({ code: 0, err: '' })
  })
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('that serves ends with 0 on %s', async (signal) => {
    const { child, ended } = started(...WEBHOOK)
    const line: unknown = JSON.parse(await firstLineOf(child))
    child.kill(signal)
    expect(await ended).toMatchObject({ code: 0, err: '' })
    expect(isTree(line) && line.event).toBe('ready')
  })
  it('that serves ends with 1 on a fault that nobody caught, and tells where, but not what it quotes', async () => {
    const fault = 'process.on("SIGUSR2", () => { throw new TypeError("pass" + "word") })'
    const flags = ['--import', `data:text/javascript,${encodeURIComponent(fault)}`]
    const { child, ended } = startedWith(flags, ...WEBHOOK, '--log-level=error')
    await firstLineOf(child)
    child.kill('SIGUSR2')
    const { code, err } = await ended
    expect(code).toBe(1)
    expect(JSON.parse(err)).toMatchObject({
      class: 'uncaughtException',
      err: { class: 'TypeError', frames: expect.arrayContaining([expect.stringMatching(/^at /)]) },
    })
    expect(err).not.toContain('password')
  })
  it.each(['SIGTERM', 'SIGHUP'] as const)(
    'that gets %s serves on, but is not ready any more, until its time is over (SV-10)',
    async (signal) => {
      const { child, ended } = started('webhook', '--cluster=memory', ...PORTS, '--drain-seconds=1')
      const stopping = messageIn(child, 'stopping')
      const line: unknown = JSON.parse(await firstLineOf(child))
      const { address, health, ca } = isTree(line) ? line : {}
      const reported = performance.now()
      child.kill(signal)
      await stopping
      const readiness = await fetch(`${health}/readyz`)
      expect({ code: readiness.status, text: await readiness.text() }).toMatchObject({
        code: 503,
        text: expect.stringContaining('[-]shutdown: this process is about to end'),
      })
      const review = await send(String(address), { ca: readFileSync(String(ca), 'utf8'), body: REVIEW })
      expect(review).toMatchObject({ code: 200, headers: { connection: 'close' } })
      expect(await ended).toMatchObject({ code: 0 })
      expect(performance.now() - reported).toBeGreaterThan(1_000)
    },
  )
  it('that is told twice does not go on serving', async () => {
    const { child, ended } = started('webhook', '--cluster=memory', ...PORTS, '--drain-seconds=60')
    const stopping = messageIn(child, 'stopping')
    await firstLineOf(child)
    child.kill('SIGTERM')
    await stopping
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130 })
  })
  it('that is told twice does not wait for the review in flight', async () => {
    const { child, ended } = started('webhook', '--cluster=memory', ...PORTS)
    const stopping = messageIn(child, 'stopping')
    const line: unknown = JSON.parse(await firstLineOf(child))
    const { address, ca } = isTree(line) ? line : {}
    const review = await unfinishedReview(String(address), readFileSync(String(ca), 'utf8'))
    child.kill('SIGTERM')
    await stopping
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 143 })
    review.destroy()
  })
  it('that cannot serve ends by itself, and says so by its exit code', async () => {
    expect(await started(...WEBHOOK, '--host=192.0.2.1').ended).toMatchObject({ code: 3, out: '' })
  })
  it('that still waits for its certificate ends with 0 on SIGTERM', async () => {
    const api = await scriptedApiServer()
    onTestFinished(() => api.stop())
    const { child, ended } = started('webhook', '--kubeconfig', api.kubeconfig(), '--log-level=silent', ...PORTS)
    await api.next()
    child.kill('SIGTERM')
    expect(await ended).toEqual({ code: 0, signal: null, out: '', err: '' })
  })
  it('that does not serve is ended by a signal like any other', async () => {
    const api = await scriptedApiServer()
    onTestFinished(() => api.stop())
    const file = fileOf(
      'apiVersion: k8s.tars.io/v1beta2\nkind: TTemplate\nmetadata: { name: a }\nspec: { parent: a, content: "" }\n',
    )
    const { child, ended } = started('review', '-f', file, '--server', api.url, '--ca', caOf(api))
    await api.next()
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130 })
  })
  it('says nothing when whoever read its output has gone', async () => {
    const child = spawn(NODE, ['src/bin/launch.js', 'manifests'])
    child.stdout.destroy()
    const ended = once(child, 'exit')
    expect(await text(child.stderr)).toBe('')
    expect(await ended).toEqual([1, null])
  })
  it('that serves ends with 1 when whoever read its log has gone', async () => {
    const child = spawn(NODE, ['src/bin/launch.js', 'webhook', '--cluster=memory', ...PORTS, '--drain-seconds=60'])
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    await firstLineOf(child)
    child.stderr.destroy()
    child.kill('SIGTERM') // which it logs
    expect(await ended).toEqual([1, null])
  })
})
