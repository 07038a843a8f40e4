import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { caOf } from '../../support/ca-of.ts'
import { type ApiServer, scriptedApiServer } from '../../support/fakes/api-server.ts'
import { fileOf, folderOf } from '../../support/folders.ts'
import { type Running, ran, running } from '../../support/world.ts'
import { child, pages, reviewed, root } from './reviewed.ts'

describe('wrong usage is told in a sentence, exit code 2', () => {
  it('no file', async () => {
    expect(await ran(['review'])).toEqual({
      code: 2,
      out: '',
      err: 'tars-admission: name what to review: -f FILE|DIR, or --from-cluster\n',
    })
  })
  it('stdin in two places', async () => {
    expect(await ran(['review', '-f', '-', '--old', '-'])).toEqual({
      code: 2,
      out: '',
      err: 'tars-admission: - stands for stdin, which is read once: name it in one place\n',
    })
  })
  it('a seed that no cluster could hold', async () => {
    const seed = fileOf(pages({ ...root('a'), kind: 'Ttemplate' }))
    expect(await ran(['review', '-f', fileOf(pages(root('b'))), '--seed', seed])).toEqual({
      code: 2,
      out: '',
      err: `tars-admission: ${seed}:2: kind: k8s.tars.io/v1beta2 has no Ttemplate; the nearest is TTemplate\n`,
    })
  })
  it('nothing to review', async () => {
    expect(await reviewed('# later\n')).toEqual({
      code: 2,
      out: '',
      err: 'tars-admission: there is no object in FILE\n',
    })
  })
  it.each(['-f', '--seed', '--old', '--ca'])('a file of %s that is not there', async (flag) => {
    const path = join(folderOf(), 'none.yaml')
    const args = ['review', '-f', fileOf(pages(root('a'))), '--server=https://127.0.0.1:1', flag, path]
    const says = `tars-admission: ${path} cannot be read: there is no such file or folder\n`
    expect(await ran(args)).toEqual({ code: 2, out: '', err: says })
  })
  it('a file that is no YAML', async () => {
    expect(await reviewed(`${pages(root('a'))}\tspec: {}\n`)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('FILE:'),
    })
  })
})

describe('--server', () => {
  let webhook: Running
  let address: string
  let ca: string
  beforeAll(async () => {
    webhook = running(['webhook', '--cluster=memory', '--host=127.0.0.1', ...PORTS, '--log-level=silent'])
    const ready = JSON.parse(await webhook.firstLine)
    address = ready.address
    ca = ready.ca
  })
  afterAll(() => webhook.stop())

  it('asks that server, whose cluster it is that is looked into', async () => {
    const ask = (content: string) => reviewed(content, '--server', address, '--ca', ca)
    expect(await ask(pages(root('a')))).toMatchObject({ code: 0, out: '1 object: 1 admitted, 0 refused\n' })
    const { code, out } = await ask(pages(root('a'), child('b', 'a')))
    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining('demo/a does not exist') })
  })
  it('whose certificate is of another CA could not be asked', async () => {
    const other = await servingElsewhere()
    const { code, out } = await reviewed(pages(root('a')), '--server', address, '--ca', other)
    expect(code).toBe(3)
    expect(out).toContain(`${address} could not be asked: its certificate is not signed by the CA of --ca`)
  })
  it('whose certificate is of a CA that nobody named could not be asked', async () => {
    const { code, out } = await reviewed(pages(root('a')), '--server', address)
    expect({ code, out }).toMatchObject({ code: 3, out: expect.stringContaining('is not signed by the CA of --ca') })
  })
  it('that is not there could not be asked, and every object says so', async () => {
    const { code, out } = await reviewed(pages(root('a'), root('b')), '--server=https://127.0.0.1:1')
    expect(code).toBe(3)
    expect(out.trimEnd().split('\n')).toEqual([
      'FILE:1: https://127.0.0.1:1 could not be asked: nobody listens there',
      'FILE:11: https://127.0.0.1:1 could not be asked: nobody listens there',
      '2 objects: 0 admitted, 0 refused, 2 could not be decided',
    ])
  })
})

describe('a server is asked as an API server asks it', () => {
  const requested = async (answer: Parameters<ApiServer['always']>[0], ...args: string[]) => {
    const server = await scriptedApiServer()
    onTestFinished(() => server.stop())
    server.always(answer)
    const run = await reviewed(pages(root('a')), '--server', `${server.url}/prefix/`, '--ca', caOf(server), ...args)
    return { ...run, out: run.out.replaceAll(server.url, 'SERVER') }
  }
  const allowed = (body: string) => ({ response: { uid: JSON.parse(body).request.uid, allowed: true } })

  it('below the path of its URL, with a timeout, for each phase', async () => {
    const calls: string[] = []
    const { code } = await requested(({ path, query, body, json }) => {
      calls.push(`${path}?timeout=${query.timeout}`)
      json(200, allowed(body))
    })
    expect({ code, calls }).toEqual({
      code: 0,
      calls: ['/prefix/mutating?timeout=10s', '/prefix/validating?timeout=10s'],
    })
  })
  it('but in a dry run: nothing will be stored, so it must not mark what would follow (W-9)', async () => {
    const dry: unknown[] = []
    await requested(({ body, json }) => {
      dry.push(JSON.parse(body).request.dryRun)
      json(200, allowed(body))
    })
    expect(dry).toEqual([true, true])
  })
  it('in the name of --user and --group', async () => {
    const users: unknown[] = []
    await requested(
      ({ body, json }) => {
        users.push(JSON.parse(body).request.userInfo)
        json(200, allowed(body))
      },
      ...['--user=ann', '--group=dev', '--group=ops'],
    )
    expect(users[0]).toEqual({ username: 'ann', groups: ['dev', 'ops'] })
  })
  it.each([
    { name: 'an HTTP error', answer: ({ status }) => status(500, 'InternalError'), code: 500 },
    { name: 'no JSON', answer: ({ text }) => text(200, 'hello'), code: 200 },
    { name: 'no response', answer: ({ json }) => json(200, {}), code: 200 },
    {
      name: 'the answer to another review',
      answer: ({ json }) => json(200, { response: { uid: 'x', allowed: true } }),
      code: 200,
    },
  ] satisfies { name: string; answer: Parameters<ApiServer['always']>[0]; code: number }[])(
    '$name is no answer',
    async ({ answer, code }) => {
      const shown = await requested(answer)
      expect(shown.code).toBe(3)
      expect(shown.out).toContain(`FILE:1: SERVER/prefix/mutating gave no answer to the review, but HTTP ${code}`)
    },
  )
  it('a connection that breaks is no answer', async () => {
    expect(await requested(({ reset }) => reset())).toMatchObject({
      code: 3,
      out: expect.stringContaining('SERVER could not be asked: '),
    })
  })
})

const PORTS = ['--port=0', '--metrics-port=0', '--health-port=0', '--drain-seconds=0']

/** A CA certificate that has signed nothing that is served here. */
async function servingElsewhere(): Promise<string> {
  const server = await scriptedApiServer()
  onTestFinished(() => server.stop())
  return caOf(server)
}
