import { describe, expect, it } from 'vitest'
import { OPTIONS } from '../../../../src/sync/options/options.ts'
import { settled } from '../../../../src/sync/options/settled.ts'
import { endOf, optionsFor, type Situation, settledFor } from './settling.ts'

const SEED = `backend = "etcdv3"
confdir = "/etc/confd"
log-level = "debug"
interval = 5
nodes = [
  "http://127.0.0.1:2379",
]
scheme = "http"
watch = true
`

describe('SY-CLI-1 and SY-CLI-2 a flag wins over the environment, it over the file, and that over the default', () => {
  const layers = { args: ['-prefix', '/flag'], env: { CONFD_PREFIX: '/env' }, file: 'prefix = "/file"' }
  it.each([
    { name: 'all three', given: layers, prefix: '/flag' },
    { name: 'no flag', given: { ...layers, args: [] }, prefix: '/env' },
    { name: 'the file alone', given: { file: layers.file }, prefix: '/file' },
    { name: 'nothing', given: {}, prefix: '' },
    { name: 'an empty variable is none', given: { ...layers, args: [], env: { CONFD_PREFIX: '' } }, prefix: '/file' },
  ])('$name', async ({ given, prefix }) => {
    expect((await optionsFor(given)).of(OPTIONS.prefix)).toBe(prefix)
  })

  it.each([
    {
      name: 'a switch',
      option: OPTIONS.watch,
      args: ['-watch=false'],
      env: { CONFD_WATCH: 'T' },
      file: 'watch = true',
      is: [false, true, true],
    },
    {
      name: 'an integer',
      option: OPTIONS.interval,
      args: ['-interval=1'],
      env: { CONFD_INTERVAL: '2' },
      file: 'interval = 3',
      is: [1, 2, 3],
    },
    {
      name: 'a list',
      option: OPTIONS.nodes,
      args: ['-node', 'a'],
      env: { CONFD_NODES: 'b,c' },
      file: 'nodes = ["d"]',
      is: [['a'], ['b', 'c'], ['d']],
    },
    {
      name: 'a duration',
      option: OPTIONS.debounce,
      args: ['-debounce=1s'],
      env: { CONFD_DEBOUNCE: '2' },
      file: 'debounce = 3',
      is: [1_000, 2_000, 3_000],
    },
  ])('$name, of each type', async ({ option, args, env, file, is }) => {
    const given: readonly Situation[] = [{ args, env, file }, { env, file }, { file }]
    const found = await Promise.all(given.map(async (each) => (await optionsFor(each)).of<unknown>(option)))
    expect(found).toEqual(is)
  })
})

describe('SY-SEED-1 the confd.toml of the seed loads unchanged', () => {
  it('and says what it says', async () => {
    const found = await settledFor({ file: SEED })
    expect(found).toMatchObject({ do: 'run', warnings: [] })
    const options = await optionsFor({ file: SEED })
    expect(options.of(OPTIONS.backend)).toBe('etcdv3')
    expect(options.of(OPTIONS.nodes)).toEqual(['http://127.0.0.1:2379'])
    expect(options.of(OPTIONS.interval)).toBe(5)
    expect(options.of(OPTIONS.watch)).toBe(true)
  })
})

describe('SY-CLI-3 the usual file may be missing, and one that is named may not', () => {
  it.each([
    { name: 'the usual one', given: {}, code: 'runs' },
    { name: 'named by a flag', given: { args: ['-config-file', '/x'] }, code: 1 },
    { name: 'named by the environment', given: { env: { CONFD_CONFIG_FILE: '/x' } }, code: 1 },
    { name: 'no TOML', given: { file: 'interval = ' }, code: 1 },
  ])('$name: $code', async ({ given, code }) => {
    expect((await endOf(given)).code).toBe(code)
  })

  it('what cannot be read ends with 1 and says why', async () => {
    const readFile = () => Promise.reject(Object.assign(new Error('secret'), { code: 'EACCES' }))
    const found = await settled({ args: [], env: {}, version: '', readFile })
    expect(found).toEqual({
      do: 'end',
      code: 1,
      err: '/etc/confd/confd.toml cannot be read (EACCES); give this user the right to read it, and to enter each folder of its path',
    })
  })

  it('a line that is no TOML is not shown, as it may hold a password', async () => {
    const { err } = await endOf({ file: 'password = "s3cret' })
    expect(err).toMatch(/^\/etc\/confd\/confd\.toml: is no TOML: line 1, column \d+: /)
    expect(err).not.toContain('s3cret')
  })
})

describe('SY-CLI-4 keys of the file', () => {
  it('take any letter case, and - or _; the exact spelling wins', async () => {
    const options = await optionsFor({ file: 'Client-Cert = "a"\nLOG_LEVEL = "debug"\nprefix = "/x"\nPrefix = "/y"' })
    expect(options.of(OPTIONS.clientCert)).toBe('a')
    expect(options.of(OPTIONS.logLevel)).toBe('debug')
    expect(options.of(OPTIONS.prefix)).toBe('/x')
  })

  it('that nothing reads are named, and it goes on', async () => {
    expect(await settledFor({ file: 'what = 1\n[table]\nx = 1' })).toMatchObject({
      do: 'end',
      err: '/etc/confd/confd.toml: table: it takes a string',
    })
    expect(await settledFor({ file: 'what = 1\nonetime = true' })).toMatchObject({
      do: 'run',
      warnings: [
        '/etc/confd/confd.toml: unknown key "what": mend its name, or leave it out',
        '/etc/confd/confd.toml: unknown key "onetime": mend its name, or leave it out',
      ],
    })
  })

  it.each(['interval = "5"', 'interval = 5.0', 'nodes = "a"', 'nodes = [1]', 'watch = "true"', 'backend = 1'])(
    'of the wrong type end it with 1: %s',
    async (file) => {
      const { code, err } = await endOf({ file })
      expect(code).toBe(1)
      expect(err).toMatch(/^\/etc\/confd\/confd\.toml: \w+: it takes /)
    },
  )
})

describe('SY-CLI-9 every option can stand in the environment', () => {
  it('by its key, or by its flag where there is no key', async () => {
    const env = { CONFD_CLIENT_CAKEYS: 'ca', CONFD_PASSWORD_FILE: 'pw', CONFD_ONETIME: 'true', CONFD_FILE: 'a,b' }
    const options = await optionsFor({ env })
    expect(options.of(OPTIONS.clientCaKeys)).toBe('ca')
    expect(options.of(OPTIONS.passwordFile)).toBe('pw')
    expect(options.of(OPTIONS.onetime)).toBe(true)
    expect(options.of(OPTIONS.file)).toEqual(['a,b'])
  })

  it('a value of the wrong type ends it with 1', async () => {
    expect(await endOf({ env: { CONFD_INTERVAL: 'x' } })).toEqual({
      code: 1,
      err: 'CONFD_INTERVAL: it takes an integer',
    })
  })

  it.each([
    { backend: 'etcd', nodes: [], found: ['a', 'b'] },
    { backend: 'etcd', nodes: ['-node', 'c'], found: ['c'] },
    { backend: 'etcdv3', nodes: [], found: [] },
  ])('ETCDCTL_PEERS counts for backend etcd without nodes: $backend $nodes', async ({ backend, nodes, found }) => {
    const options = await optionsFor({ args: ['-backend', backend, ...nodes], env: { ETCDCTL_PEERS: 'a,b' } })
    expect(options.of(OPTIONS.nodes)).toEqual(found)
  })
})

describe('what cannot be run with ends it with 1', () => {
  it.each([
    { id: 'SY-CLI-11', args: ['-interval', '0'], err: '-interval: it takes at least 1 second' },
    {
      id: 'SY-BE-1',
      args: ['-backend', 'x'],
      err: '-backend: Invalid backend, there is no such backend; take one of etcd, etcdv3, redis, file, env',
    },
    {
      id: 'SY-BE-1',
      args: ['-backend', 'consul'],
      err: '-backend: Invalid backend, consul is not provided; take one of etcd, etcdv3, redis, file, env',
    },
    { id: 'SY-CLI-10', args: ['-check-cmd-timeout', '0'], err: '-check-cmd-timeout: it takes more than 0' },
    { id: 'SY-CLI-10', args: ['-reload-cmd-timeout', '0s'], err: '-reload-cmd-timeout: it takes more than 0' },
    { id: 'SY-CLI-10', args: ['-backend-timeout', '0ms'], err: '-backend-timeout: it takes more than 0' },
    { id: 'SY-CLI-8', args: ['-srv-domain', 'x'], err: '-srv-domain is not supported yet' },
    { id: 'SY-CLI-10', args: ['-stage-dir', '/x'], err: '-stage-dir is not supported yet' },
    {
      id: 'crypt',
      args: ['-secret-keyring', '/x'],
      err: '-secret-keyring is gone, as from confd itself: the crypt functions are removed, so keep secrets in the store or in a Secret',
    },
    {
      id: 'level',
      args: ['-log-level', 'loud'],
      err: '-log-level: it takes panic, fatal, error, warn, warning, info, debug, trace, ',
    },
    { id: 'health', args: ['-health-addr', '8081'], err: '-health-addr: it takes HOST:PORT, such as 127.0.0.1:8081' },
    { id: 'health', args: ['-health-addr', ':99999'], err: '-health-addr: it takes HOST:PORT, such as 127.0.0.1:8081' },
  ])('$id $args', async ({ args, err }) => {
    expect(await endOf({ args })).toEqual({ code: 1, err })
  })

  it('a shutdown-timeout and a debounce of 0 pass: nothing is waited for (SY-CLI-10)', async () => {
    expect((await endOf({ args: ['-shutdown-timeout', '0', '-debounce', '0'] })).code).toBe('runs')
  })

  it.each([
    { insecure: 'true', warnings: ['-client-insecure: the certificate of the store is not verified'] },
    { insecure: 'false', warnings: [] },
  ])('-client-insecure=$insecure is warned of: $warnings', async ({ insecure, warnings }) => {
    const found = await settledFor({ args: [`-client-insecure=${insecure}`] })
    expect(found).toMatchObject({ do: 'run', warnings })
  })

  it.each(['127.0.0.1:0', ':8081', '[::1]:8081', 'localhost:1'])('-health-addr %s passes', async (address) => {
    expect((await endOf({ args: ['-health-addr', address] })).code).toBe('runs')
  })
})
