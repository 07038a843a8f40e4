import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { helpOn } from '../../../src/commands/help.ts'
import { spelled } from '../../../src/commands/known.ts'
import type { Sources } from '../../../src/commands/settings.ts'
import { type Config, flagOf, NAMES, type Name } from '../../../src/config.ts'
import { configOf, inFile } from './configured.ts'

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
