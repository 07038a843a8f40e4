import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { helpOn } from '../../../src/commands/help.ts'
import { spelled } from '../../../src/commands/known.ts'
import { configFrom, type Sources } from '../../../src/commands/settings.ts'
import { type Config, flagOf, NAMES, type Name, UsageError } from '../../../src/config.ts'

/** Whatever the case is not about is not told at all. */
function configOf(sources: Partial<Sources> = {}): Config {
  return configFrom({ args: [], env: {}, names: NAMES, readFile: () => ({}), ...sources })
}
function refusalOf(sources: Partial<Sources>): string {
  try {
    configOf(sources)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return 'taken'
}
/** As if `--config settings.yaml` had been said, and this stood there. */
const inFile = (content: unknown, ...args: string[]) => ({
  args: ['--config', 'settings.yaml', ...args],
  readFile: () => content,
})

describe('flags go before the environment, that before the file, that before the defaults', () => {
  const ENV = { TARS_ADMISSION_HOST: 'environment' }
  const FILE = { host: 'file' }
  it.each([
    { name: 'a flag wins over all', sources: { ...inFile(FILE, '--host', 'flag'), env: ENV }, host: 'flag' },
    { name: 'the environment wins over the file', sources: { ...inFile(FILE), env: ENV }, host: 'environment' },
    { name: 'the file wins over the defaults of the command', sources: inFile(FILE), host: 'file' },
    { name: 'those win over the common ones', sources: {}, host: 'command' },
  ])('$name', ({ sources, host }) => {
    expect(configOf({ usual: { host: 'command' }, ...sources }).host).toBe(host)
  })
  it('what nobody tells has its default', () => {
    expect(configOf()).toMatchObject({ port: 9443, certs: 'self', seed: [], manageConfigurations: false })
  })
  it('a list is replaced, not added to', () => {
    const config = configOf({ args: ['--seed=a'], env: { TARS_ADMISSION_SEED: 'b' }, usual: { seed: ['c'] } })
    expect(config.seed).toEqual(['a'])
  })
  it('a flag takes back what the environment switched on', () => {
    const env = { TARS_ADMISSION_MANAGE_CONFIGURATIONS: 'true' }
    expect(configOf({ args: ['--manage-configurations=false'], env }).manageConfigurations).toBe(false)
  })
  it('the environment may name the file', () => {
    const readFile = (path: string) => ({ host: path })
    expect(configOf({ env: { TARS_ADMISSION_CONFIG: 'a.yaml' }, readFile }).host).toBe('a.yaml')
  })
  it('the file of a flag is read instead of that of the environment', () => {
    const readFile = (path: string) => ({ host: path })
    const env = { TARS_ADMISSION_CONFIG: 'a.yaml' }
    expect(configOf({ args: ['--config', 'b.yaml'], env, readFile }).host).toBe('b.yaml')
  })
  it('of a flag said twice the later counts', () => {
    expect(configOf({ args: ['--port=1', '--port=2'] }).port).toBe(2)
  })
})

describe('what is unknown is refused, with where it came from and where to look', () => {
  it.each([
    {
      name: 'a flag',
      sources: { args: ['--prot', '1'] },
      says: '--prot is no flag of this command; --help names its flags',
    },
    {
      name: 'a short flag',
      sources: { args: ['-x'] },
      says: '-x is no flag of this command; --help names its flags',
    },
    {
      name: 'a flag of another command',
      sources: { args: ['--port=1'], names: ['file'] },
      says: '--port is no flag of this command; --help names its flags',
    },
    {
      name: 'a word that belongs to no flag',
      sources: { args: ['serve'] },
      says: '"serve" belongs to no flag; --help names the flags',
    },
    {
      name: 'a second word after a flag that takes one',
      sources: { args: ['--port', '1', '2'] },
      says: '"2" belongs to no flag; --help names the flags',
    },
    {
      name: 'a variable',
      sources: { env: { TARS_ADMISSION_PROT: '1' } },
      says: 'TARS_ADMISSION_PROT is no setting; "tars-admission config print --help" names them',
    },
    {
      name: 'a key',
      sources: inFile({ prot: 1 }),
      says: 'prot in settings.yaml is no setting; "tars-admission config print --help" names them',
    },
    {
      name: 'a key written as in the code',
      sources: inFile({ logLevel: 'info' }),
      says: 'logLevel in settings.yaml is no setting; "tars-admission config print --help" names them',
    },
    {
      name: 'a file in a file',
      sources: inFile({ config: 'other.yaml' }),
      says: 'config in settings.yaml is no setting; "tars-admission config print --help" names them',
    },
    {
      name: 'a file that holds no settings by name',
      sources: inFile(['port']),
      says: 'settings.yaml must hold settings by name, like "port: 9443"',
    },
  ] satisfies { name: string; sources: Partial<Sources>; says: string }[])('$name', ({ sources, says }) => {
    expect(refusalOf(sources)).toBe(says)
  })
  it('a variable of another program is none of ours', () => {
    expect(refusalOf({ env: { TARS_OTHER: '1' } })).toBe('taken')
  })
  it('a variable of another command is known, and waits for it', () => {
    expect(refusalOf({ env: { TARS_ADMISSION_PORT: '1' }, names: ['file'] })).toBe('taken')
  })
  it('an empty file is a file of no settings', () => {
    expect(configOf(inFile(null)).port).toBe(9443)
  })
})

describe('a value that does not fit is refused, with what the setting takes', () => {
  const PORT = 'a whole number from 0 to 65535'
  it.each([
    { flag: '--port=x', says: `--port takes ${PORT}, not "x"` },
    { flag: '--port=1.5', says: `--port takes ${PORT}, not "1.5"` },
    { flag: '--port=-1', says: `--port takes ${PORT}, not "-1"` },
    { flag: '--port=65536', says: `--port takes ${PORT}, not "65536"` },
    { flag: '--port=0x10', says: `--port takes ${PORT}, not "0x10"` },
    { flag: '--port=1e3', says: `--port takes ${PORT}, not "1e3"` },
    { flag: '--port=', says: `--port takes ${PORT}, not ""` },
    { flag: '--port', says: `--port takes ${PORT}, and nothing follows it` },
    { flag: '--certs=none', says: '--certs takes one of self, files, secret, not "none"' },
    { flag: '--certs=SELF', says: '--certs takes one of self, files, secret, not "SELF"' },
    { flag: '--manage-configurations=yes', says: '--manage-configurations takes true or false, not "yes"' },
    { flag: '--webhook-url=http://a', says: '--webhook-url takes a URL that begins with https://, not "http://a"' },
    { flag: '--webhook-url=https://', says: '--webhook-url takes a URL that begins with https://, not "https://"' },
    {
      flag: '--webhook-url=https://a:99999',
      says: '--webhook-url takes a URL that begins with https://, not "https://a:99999"',
    },
    {
      flag: '--server=https://me:secret@a',
      says: '--server takes a URL that begins with https://, not "https://me:secret@a"',
    },
    { flag: '--kube-version=new', says: '--kube-version takes a version like 1.30, not "new"' },
    { flag: '--kube-version=2.0', says: '--kube-version takes a version like 1.30, not "2.0"' },
    { flag: '--namespace=My Space', says: '--namespace takes a namespace like tars-system, not "My Space"' },
    { flag: '--image=', says: '--image takes an image like registry/tars-admission:1.0, not ""' },
    { flag: '--host=', says: '--host takes an address like 127.0.0.1, not ""' },
    { flag: '--cert-dir=', says: '--cert-dir takes a folder, not ""' },
    { flag: '--old', says: '--old takes a file, and nothing follows it' },
    { flag: '--seed', says: '--seed takes a file or folder, and nothing follows it' },
    { flag: '--user= ', says: '--user takes a name, not " "' },
  ])('$flag', ({ flag, says }) => {
    expect(refusalOf({ args: [flag] })).toBe(says)
  })
  it('the next flag is no value of this one', () => {
    expect(refusalOf({ args: ['--host', '--port', '1'] })).toBe(
      '--host takes an address like 127.0.0.1, and nothing follows it',
    )
  })
  it('a variable is named as one', () => {
    expect(refusalOf({ env: { TARS_ADMISSION_METRICS_PORT: 'x' } })).toBe(
      `TARS_ADMISSION_METRICS_PORT takes ${PORT}, not "x"`,
    )
  })
  it.each([
    { name: 'a list for a number', content: { port: [1] }, says: `port in settings.yaml takes ${PORT}, not [1]` },
    {
      name: 'a map for a text',
      content: { host: {} },
      says: 'host in settings.yaml takes an address like 127.0.0.1, not {}',
    },
    { name: 'nothing for a text', content: { old: null }, says: 'old in settings.yaml takes a file, not null' },
    {
      name: 'a number in a list of texts',
      content: { seed: ['a', 5] },
      says: 'seed in settings.yaml takes a file or folder, not 5',
    },
  ])('$name in the file', ({ content, says }) => {
    expect(refusalOf(inFile(content))).toBe(says)
  })
})

describe('a setting is read in whatever form its source has', () => {
  it.each([
    { name: 'a number', args: ['--port', '10'], expected: { port: 10 } },
    { name: 'a number in a variable', env: { TARS_ADMISSION_HEALTH_PORT: '10' }, expected: { healthPort: 10 } },
    { name: 'a switch', args: ['--manage-configurations'], expected: { manageConfigurations: true } },
    {
      name: 'a switch that is off',
      args: ['--manage-configurations=false'],
      expected: { manageConfigurations: false },
    },
    { name: 'a short flag', args: ['-f', 'a', '-o', 'json'], expected: { file: ['a'], output: 'json' } },
    { name: 'a list by repetition', args: ['-f', 'a', '-f=b', '--file=c'], expected: { file: ['a', 'b', 'c'] } },
    { name: 'a list by commas', args: ['--seed=a,b'], expected: { seed: ['a', 'b'] } },
    {
      name: 'a list as a shell spreads it',
      args: ['-f', 'a', 'b', '--user', 'ann'],
      expected: { file: ['a', 'b'], user: 'ann' },
    },
    { name: 'a list in a variable', env: { TARS_ADMISSION_GROUP: 'a, b' }, expected: { group: ['a', 'b'] } },
    { name: 'an empty list', args: ['--seed='], usual: { seed: ['samples'] }, expected: { seed: [] } },
    { name: 'an empty variable as none', env: { TARS_ADMISSION_PORT: '' }, expected: { port: 9443 } },
    {
      name: 'values of a file by their types',
      ...inFile({ port: 10, 'manage-configurations': true, seed: ['a,b'] }),
      expected: { port: 10, manageConfigurations: true, seed: ['a,b'] },
    },
    {
      name: 'values of a file as texts',
      ...inFile({ port: '10', 'manage-configurations': 'true', seed: 'a,b' }),
      expected: { port: 10, manageConfigurations: true, seed: ['a', 'b'] },
    },
    { name: 'a version with its v', args: ['--kube-version=v1.30.2'], expected: { kubeVersion: 'v1.30.2' } },
    {
      name: 'a URL with a path',
      args: ['--webhook-url=https://[::1]:9443/hooks'],
      expected: { webhookUrl: 'https://[::1]:9443/hooks' },
    },
  ] satisfies (Partial<Sources> & { name: string; expected: Partial<Config> })[])(
    '$name',
    ({ expected, ...sources }) => {
      expect(configOf(sources)).toMatchObject(expected)
    },
  )
})

it('nobody changes a configuration, nor a list in it', () => {
  const config = configOf({ args: ['--seed=a'] })
  expect([Object.isFrozen(config), Object.isFrozen(config.seed), Object.isFrozen(config.group)]).toEqual([
    true,
    true,
    true,
  ])
})

describe('what is spelled out can be read again', () => {
  it('by the names of the flags, and without the file it came from', () => {
    const config = configOf(inFile({ 'cert-dir': '/certs' }))
    expect(spelled(config)).toMatchObject({ 'cert-dir': '/certs', 'log-level': 'info', 'metrics-port': 8080 })
    expect(spelled(config)).not.toHaveProperty('config')
  })
  it('leaves out what nobody told and has no default', () => {
    expect(spelled(configOf())).not.toHaveProperty('webhook-url')
  })
  it('and gives the same configuration, whatever was told', () => {
    fc.assert(
      fc.property(anyArgs, (args) => {
        const config = configOf({ args })
        const { config: _, ...again } = configOf(inFile(spelled(config)))
        expect({ ...again, settings: undefined }).toEqual({ ...config, settings: undefined })
      }),
    )
  })
})

describe('--help', () => {
  const lineOf = (flag: string, help: string) => help.split('\n').find((line) => line.includes(flag)) ?? ''
  const HELP = helpOn({ names: NAMES })
  it.each([
    {
      flag: '--port',
      line: '      --port NUMBER                                port of reviews; 0 takes a free one (default: 9443)',
    },
    {
      flag: '--cluster',
      line: '      --cluster kube|memory                        where to look things up: a real cluster, or an own one (default: kube)',
    },
    {
      flag: '--file',
      line: '  -f, --file FILE|DIR…                             objects to review, in this order; - is stdin',
    },
    {
      flag: '--webhook-url',
      line: '      --webhook-url URL                            where the API server reaches us, instead of our Service',
    },
    {
      flag: '--manage-config',
      line: '      --manage-configurations                      write caBundle into our webhook configurations',
    },
  ])('tells of $flag what it takes, what for, and what else it would be', ({ flag, line }) => {
    expect(lineOf(flag, HELP)).toBe(line)
  })
  it('has one line a setting, the common ones last', () => {
    expect(helpOn({ names: ['config', 'port'] }).match(/--[a-z-]+/g)).toEqual(['--config', '--port', '--log-level'])
    expect(helpOn({ names: ['port'] }).match(/--[a-z-]+/g)).toEqual(['--port', '--config', '--log-level'])
  })
  it('tells the defaults and the meanings of the command', () => {
    const help = helpOn({ names: ['namespace'], usual: { namespace: 'demo' }, says: { namespace: 'of objects' } })
    expect(lineOf('--namespace', help)).toMatch(/ of objects \(default: demo\)$/)
  })
  it('says where the name of a caller with a comma goes, and there it is one', () => {
    expect(lineOf('--client-names', HELP)).toMatch(/those with a comma only in a list of --config$/)
    expect(configOf(inFile({ 'client-names': ['Acme, Inc'] })).clientNames).toEqual(['Acme, Inc'])
  })
  it('fits into 140 columns', () => {
    expect(HELP.split('\n').filter((line) => line.length > 140)).toEqual([])
  })
})

/** Flags with values that they take, of any kind that a shell can say. */
const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((each) => /\S/.test(each))
const item = text.map((each) => each.replaceAll(',', ';').trim())
const SOME: Readonly<Partial<Record<Name, fc.Arbitrary<string>>>> = {
  port: fc.nat(65_535).map(String),
  healthPort: fc.nat(65_535).map(String),
  certs: fc.constantFrom('self', 'files', 'secret'),
  manageConfigurations: fc.constantFrom('true', 'false'),
  seed: fc.array(item).map((all) => all.join()),
  group: fc.array(item).map((all) => all.join()),
  user: text,
  certDir: text,
  webhookUrl: fc.webUrl({ validSchemes: ['https'] }),
  kubeVersion: fc.constantFrom('1.30', 'v1.40.1'),
}
const anyArgs = fc
  .record(SOME, { requiredKeys: [] })
  .map((expected) =>
    NAMES.flatMap((name) => (expected[name] === undefined ? [] : [`--${flagOf(name)}=${expected[name]}`])),
  )
