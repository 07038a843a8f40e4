import { expect, it } from 'vitest'
import { fileOf } from '../support/folders.ts'
import { besideConfd, type Given } from './beside.ts'
import { done } from './beside-case.ts'
import { startEtcd } from './etcd.ts'
import { EXPECTED, HASHES, RESOURCES, VALUES } from './integration-case.ts'
import { startRedis } from './redis.ts'

const PREFIX = '/prefix'

/** What both are told, so that they find the values there, and below the prefix. */
type Holding = () => Promise<Pick<Given, 'args' | 'env'>>

const BOTH = Object.entries(VALUES).flatMap(([key, value]) => [[key, value] as const, [PREFIX + key, value] as const])

async function inEtcd(): ReturnType<Holding> {
  const etcd = await startEtcd()
  await etcd.put(Object.fromEntries(BOTH))
  return { args: ['-backend=etcdv3', `-node=${etcd.endpoint}`] }
}

/** Strings, and below the prefix hashes. */
async function inRedis(): ReturnType<Holding> {
  const redis = await startRedis()
  await redis.ask('MSET', ...Object.entries(VALUES).flat(), `${PREFIX}/key`, VALUES['/key'] ?? '')
  for (const [key, fields] of Object.entries(HASHES)) {
    await redis.ask('HSET', PREFIX + key, ...Object.entries(fields).flat())
  }
  return { args: ['-backend=redis', `-node=${redis.node}`] }
}

async function inFile(): ReturnType<Holding> {
  return { args: ['-backend=file', `-file=${fileOf(JSON.stringify(Object.fromEntries(BOTH)), 'values.json')}`] }
}

async function inEnv(): ReturnType<Holding> {
  const variables = BOTH.map(([key, value]) => [key.slice(1).replaceAll('/', '_').toUpperCase(), value])
  return { args: ['-backend=env'], env: Object.fromEntries(variables) }
}

const conf = Object.entries(RESOURCES).map(([name, { keys }]) => {
  const toml = `[template]\nmode = "0644"\nsrc = "${name}.tmpl"\ndest = "OUT/${name}"\nkeys = ${JSON.stringify(keys)}\n`
  return [`${name}.toml`, toml]
})
const templates = Object.entries(RESOURCES).map(([name, { template }]) => [`${name}.tmpl`, template])

/** confd leaves out hashes that it finds below a key (SY-REDIS-5). */
const WITHOUT_HASHES = { nested: '644 ' }

it.each<{ store: string; holds: Holding; confdUnderPrefix?: typeof WITHOUT_HASHES }>([
  { store: 'etcd', holds: inEtcd },
  { store: 'redis', holds: inRedis, confdUnderPrefix: WITHOUT_HASHES },
  { store: 'files', holds: inFile },
  { store: 'the environment', holds: inEnv },
])(
  'SY-TEST-2 the resources of confd’s own tests, from $store, with a prefix and without',
  async ({ holds, confdUnderPrefix }) => {
    const { args = [], env = {} } = await holds()
    const given = { conf: Object.fromEntries(conf), templates: Object.fromEntries(templates) }
    for (const prefix of ['', PREFIX]) {
      const both = await besideConfd({
        ...given,
        env: { HOSTNAME: 'localhost', ...env },
        args: ['-onetime', ...args, ...(prefix === '' ? [] : [`-prefix=${prefix}`])],
      })
      expect(both, prefix).toEqual({
        confd: done({ ...EXPECTED, ...(prefix === '' ? {} : confdUnderPrefix) }),
        ours: done(EXPECTED),
      })
    }
  },
)
