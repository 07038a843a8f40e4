import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sha1Of } from '../../src/kube/digests.ts'
import { expectDone } from './product.ts'
import { account, cluster, fresh, kubectl, on, passwords, patch, secret, stored } from './taccount-cluster.ts'

async function expectHashed(name: string, password: string): Promise<void> {
  const { annotations, authentication } = await stored(name)
  const { bcryptPassword, ...others } = authentication
  expect(await passwords.verify(sha1Of(password), String(bcryptPassword))).toBe(true)
  expect(others).toEqual({ activated: false, tokens: [] })
  expect(annotations).toEqual({})
}

describe('a password is stored as its hash alone (TA-M1, TA-M6), written by', () => {
  it.each([
    ['create', ['create']],
    ['create --save-config', ['create', '--save-config']],
    ['apply', ['apply']],
    ['apply --server-side', ['apply', '--server-side']],
  ])('kubectl %s', async (_, [verb = '', ...flags]) => {
    const name = [verb, ...flags].join('').slice(0, 16)
    const password = fresh()
    expectDone(await kubectl(verb, account(name, { password }), ...flags))
    await expectHashed(name, password)
  })
  it.each([
    ['patch', (name: string, password: string) => patch(name, { password })],
    [
      'patch --type=json',
      (name: string, value: string) => {
        const operations = JSON.stringify([{ op: 'add', path: '/spec/authentication/password', value }])
        return on('patch', 'taccount', name, '--type=json', '-p', operations)
      },
    ],
    ['replace', (name: string, password: string) => kubectl('replace', account(name, { password }))],
    [
      'replace --save-config',
      (name: string, password: string) => kubectl('replace', account(name, { password }), '--save-config'),
    ],
    ['apply', (name: string, password: string) => kubectl('apply', account(name, { password }))],
  ])('kubectl %s, on what is there', async (_, write) => {
    expectDone(await kubectl('create', account('there', { password: fresh() })))
    const password = fresh()
    expectDone(await write('there', password))
    await expectHashed('there', password)
    expectDone(await on('delete', 'taccount', 'there'))
  })
  it('nobody, in a dry run', async () => {
    const { code, stdout } = await kubectl(
      'create',
      account('dry', { password: fresh() }),
      '--dry-run=server',
      '-o',
      'json',
    )
    expect(code).toBe(0)
    expect(JSON.parse(stdout).spec.authentication).toMatchObject({
      bcryptPassword: expect.stringMatching(/^\$2a\$10\$/),
    })
    expect((await on('get', 'taccount', 'dry')).stderr).toContain('not found')
  })
})

describe('and what others note of the write is not kept (TA-M6)', () => {
  const NOTES = [
    'kubernetes.io/change-cause',
    'kapp.k14s.io/original',
    'objectset.rio.cattle.io/applied',
    'banzaicloud.com/last-applied',
    'deployer.example.com/original',
  ]

  it('kubectl patch --record notes its command line in a request of its own', async () => {
    expectDone(await kubectl('create', account('noted', { password: fresh() })))
    const password = fresh()
    const words = JSON.stringify({ spec: { authentication: { password } } })
    const recorded = await on('patch', 'taccount', 'noted', '--type=merge', '-p', words, '--record')
    expect(recorded).toMatchObject({ code: 0, stderr: expect.stringContaining('--record has been deprecated') })
    expect(patchesOf('noted')).toBe(2)
    await expectHashed('noted', password)
  })
  it.each([['create'], ['apply'], ['apply', '--server-side'], ['replace']])(
    'installers, by %s %s',
    async (verb, ...flags) => {
      const name = `by-${[verb, ...flags].join('').slice(0, 12)}`
      const password = fresh()
      const spec = account(name, { password })
      const annotations = Object.fromEntries(NOTES.map((key) => [key, JSON.stringify(spec)]))
      if (verb === 'replace') expectDone(await kubectl('create', account(name, { password: fresh() })))
      expectDone(await kubectl(verb, { ...spec, metadata: { name, annotations } }, ...flags))
      await expectHashed(name, password)
    },
  )

  const patchesOf = (name: string) => {
    const events = readFileSync(cluster.auditLog, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"verb":"patch"'))
    return events.filter((line) => line.includes(`/taccounts/${name}?`) && line.includes('"ResponseComplete"')).length
  }
})

describe('TA-V1 a refused password is told of and not told', () => {
  const REFUSED =
    'is invalid: spec.authentication.password: must be 6 to 32 printable ASCII characters without spaces; ' +
    'choose another one, in quotes if it is all digits (TA-V1)\n'

  const BAD: readonly (readonly [string, () => string | number])[] = [
    ['one that is too short', () => secret(`#${randomBytes(2).toString('hex')}`)],
    ['one with a space', () => secret(`Clear ${randomBytes(6).toString('hex')}`)],
    ['one that is too long', () => secret(`Clear-${randomBytes(20).toString('hex')}`)],
    ['a number', () => Number(secret(String(100_000_000_000 + randomBytes(4).readUInt32BE())))],
  ]
  /** The field is gone, but not that it was kubectl create which wrote it. */
  const FORCED = ['--server-side', '--force-conflicts']

  it.each(BAD)('create: %s', async (_, badOne) => {
    const { code, stderr } = await kubectl('create', account('refused', { password: badOne() }), '--validate=false')
    expect(stderr).toBe(`The TAccount "refused" ${REFUSED}`)
    expect(code).toBe(1)
  })
  it.each(BAD)('by apply, apply --server-side and patch on what is there: %s', async (_, badOne) => {
    expectDone(await kubectl('create', account('kept', { password: fresh() })))
    const before = await stored('kept')
    const shown = [
      await kubectl('apply', account('kept', { password: badOne() }), '--validate=false'),
      await kubectl('apply', account('kept', { password: badOne() }), '--validate=false', ...FORCED),
      await patch('kept', { password: badOne() }),
    ]
    for (const { stderr } of shown) expect(stderr).toContain(`The TAccount "kept" ${REFUSED}`)
    expect(await stored('kept')).toEqual(before)
    expectDone(await on('delete', 'taccount', 'kept'))
  })
  it('and where something else is of a wrong type, the API server says so, and it is nowhere either', async () => {
    const wrong = account('refused', { password: fresh(), activated: 'yes' })
    const { code, stderr } = await kubectl('create', wrong, '--validate=false')
    expect(stderr).toContain('spec.authentication.activated: Invalid value: "string"')
    expect(code).toBe(1)
  })
  it('nor has an account neither password nor hash: the API server says so', async () => {
    const { stderr } = await kubectl('create', account('bare', { activated: true }))
    expect(stderr).toContain('The TAccount "bare" is invalid')
    expect(stderr).toContain('spec.authentication')
  })
})
