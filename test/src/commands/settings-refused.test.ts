import { describe, expect, it } from 'vitest'
import type { Sources } from '../../../src/commands/settings.ts'
import { UsageError } from '../../../src/config.ts'
import { configOf, inFile } from './configured.ts'

function refusalOf(sources: Partial<Sources>): string {
  try {
    configOf(sources)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return 'taken'
}

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
