import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { issueAuthority } from '../../../certs/authority.ts'
import { clientPair } from '../../support/client-certificates.ts'
import { scriptedApiServer } from '../../support/fakes/api-server.ts'
import { fileOf } from '../../support/folders.ts'
import { send } from '../../support/http-said.ts'
import { ran, running } from '../../support/world.ts'
import { PORTS, ready, serving, textAt, WEBHOOK } from './webhook-running.ts'

describe('callers (SV-14)', () => {
  it('are known by a certificate with --client-ca', async () => {
    const authority = await issueAuthority(new Date())
    const { address, ca } = await ready(serving('--client-ca', fileOf(authority.cert), '--client-names=api'))
    const requested = { body: '{}', ca: readFileSync(ca, 'utf8') }
    await expect(send(address, requested)).rejects.toThrow()
    expect(await send(address, { ...requested, pair: await clientPair(authority, 'api') })).toMatchObject({ code: 400 })
    expect(await send(address, { ...requested, pair: await clientPair(authority, 'x') })).toMatchObject({ code: 403 })
  })
  it('know the way with --secret-path', async () => {
    const { address, ca } = await ready(serving('--secret-path=hunter2-hunter2-x'))
    const requested = { body: '{}', ca: readFileSync(ca, 'utf8') }
    expect(await send(address, { ...requested, path: '/hunter2-hunter2-x/validating' })).toMatchObject({ code: 400 })
    expect(await send(address, requested)).toMatchObject({ code: 404 })
  })
  it.each([
    { args: ['--client-names=api'], says: '--client-names are those of certificates: --client-ca FILE says whose' },
    { args: ['--client-ca=/none'], says: '/none cannot be read: there is no such file or folder' },
    { args: ['--client-ca=package.json'], says: 'package.json holds no certificate in PEM' },
    {
      args: ['--secret-path=hunter2'],
      says: '--secret-path takes a word of 16 to 128 letters, digits, - and _',
    },
  ])('$args are wrong usage', async ({ args, says }) => {
    const { code, err } = await ran([...WEBHOOK, '--log-level=silent', ...args])
    expect({ code, err: err.trim().replace('tars-admission: ', '') }).toEqual({ code: 2, err: says })
  })
})

describe('what keeps it from starting is told in a sentence, exit code 3', () => {
  it.each([
    { flag: '--port', others: ['--metrics-port=0', '--health-port=0'] },
    { flag: '--metrics-port', others: ['--port=0', '--health-port=0'] },
    { flag: '--health-port', others: ['--port=0', '--metrics-port=0'] },
  ])('$flag that is taken', async ({ flag, others }) => {
    const port = await takenPort()
    const args = ['webhook', '--cluster=memory', '--host=127.0.0.1', '--log-level=silent', ...others]
    const says = `port ${port} of 127.0.0.1 is taken by another process: ${flag} names another, or 0 for a free one`
    expect(await ran([...args, `${flag}=${port}`])).toEqual({ code: 3, out: '', err: `tars-admission: ${says}\n` })
  })
  it('a host that is somewhere else', async () => {
    const says = '192.0.2.1 is no address of this machine: --host names another'
    const args = ['webhook', '--cluster=memory', '--host=192.0.2.1', '--log-level=silent', ...PORTS]
    expect(await ran(args)).toEqual({ code: 3, out: '', err: `tars-admission: ${says}\n` })
  })
  it('a folder of certificates that cannot be written', async () => {
    const { code, err } = await ran([...WEBHOOK, '--log-level=silent', '--cert-dir=package.json/certs'])
    expect({ code, err }).toEqual({
      code: 3,
      err: expect.stringContaining('cannot be written: name a folder that can'),
    })
  })
})

it('is alive while it waits for its certificate, and says that it does', async () => {
  const api = await scriptedApiServer()
  onTestFinished(() => api.stop())
  const port = await freePort()
  const args = [
    '--kubeconfig',
    api.kubeconfig(),
    '--host=127.0.0.1',
    '--port=0',
    '--metrics-port=0',
    '--log-level=silent',
  ]
  const run = running(['webhook', ...args, `--health-port=${port}`])
  onTestFinished(async () => void (await run.stop()))
  await api.next()
  expect(await textAt(`http://127.0.0.1:${port}/livez`)).toBe('ok')
  expect(await textAt(`http://127.0.0.1:${port}/readyz`)).toContain(
    '[-]certificate: there is no serving certificate yet',
  )
})

async function takenPort(): Promise<number> {
  const server = createServer()
  onTestFinished(() => void server.close())
  return portOf(server)
}
/** Nobody has it for the moment. */
async function freePort(): Promise<number> {
  const server = createServer()
  const port = await portOf(server)
  await once(server.close(), 'close')
  return port
}
async function portOf(server: ReturnType<typeof createServer>): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
