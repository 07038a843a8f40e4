import { describe, expect, it } from 'vitest'
import { goBool, goDuration, goInteger } from '../../../../src/sync/options/go-values.ts'
import { OPTIONS } from '../../../../src/sync/options/options.ts'
import { endOf, optionsFor, settledFor } from './settling.ts'

describe('SY-CLI-5 flags are read as Go reads them', () => {
  it.each([
    { args: ['-prefix', '/a'], prefix: '/a' },
    { args: ['--prefix', '/a'], prefix: '/a' },
    { args: ['-prefix=/a'], prefix: '/a' },
    { args: ['-prefix='], prefix: '' },
    { args: ['-prefix', '-noop'], prefix: '-noop' },
    { args: ['-prefix=a=b'], prefix: 'a=b' },
    { args: ['-prefix', '/a', '-prefix', '/b'], prefix: '/b' },
    { args: ['word', '-prefix', '/a'], prefix: '' },
    { args: ['--', '-prefix', '/a'], prefix: '' },
    { args: ['-', '-prefix', '/a'], prefix: '' },
    { args: ['-noop', 'true', '-prefix', '/a'], prefix: '' },
  ])('$args', async ({ args, prefix }) => {
    expect((await optionsFor({ args })).of(OPTIONS.prefix)).toBe(prefix)
  })

  it.each([
    { args: ['-noop'], is: true },
    { args: ['-noop=T'], is: true },
    { args: ['-noop=0'], is: false },
    { args: ['-noop', '-noop=false'], is: false },
  ])('$args is $is', async ({ args, is }) => {
    expect((await optionsFor({ args })).of(OPTIONS.noop)).toBe(is)
  })

  it.each([
    { args: ['-nope'], why: 'flag provided but not defined: -nope' },
    { args: ['-nope=1'], why: 'flag provided but not defined: -nope' },
    { args: ['-prefix'], why: 'flag needs an argument: -prefix' },
    { args: ['---prefix'], why: 'bad flag syntax: ---prefix' },
    { args: ['-=x'], why: 'bad flag syntax: -=x' },
    { args: ['-noop=yes'], why: 'invalid value for flag -noop: it takes true or false' },
    { args: ['-interval', '1.5'], why: 'invalid value for flag -interval: it takes an integer' },
    { args: ['-interval', '99999999999999999999'], why: 'invalid value for flag -interval: it takes an integer' },
    { args: ['-password-file', 'x'], why: 'flag provided but not defined: -password-file' },
    { args: ['--config', 'x'], why: 'flag provided but not defined: -config' },
  ])('$args ends it with 2', async ({ args, why }) => {
    const { code, err } = await endOf({ args })
    expect(code).toBe(2)
    expect(err.split('\n').slice(0, 2)).toEqual([why, 'usage: tars-admission sync [FLAGS]'])
  })

  it.each(['-h', '-help', '--help'])('%s ends with 0 before any file is read', async (help) => {
    const found = await settledFor({ args: [help], file: 'no TOML' })
    expect(found).toMatchObject({ do: 'end', code: 0, out: expect.stringContaining('\n  -backend TEXT') })
  })

  it('SY-CLI-7 -version prints one line and ends with 0 before any file is read', async () => {
    const found = await settledFor({ args: ['-version'], file: 'no TOML' })
    expect(found).toEqual({ do: 'end', code: 0, out: `tars-admission sync 1.2.3 (node ${process.versions.node})` })
  })

  it('SY-CLI-6 lists go on, nodes are split at commas, files are not, and a list of flags replaces that of the file', async () => {
    const args = ['-node', 'a,b', '-node', 'c', '-file', 'x,y', '-file', 'z']
    const options = await optionsFor({ args, file: 'nodes = ["f"]\nfile = ["g"]' })
    expect(options.of(OPTIONS.nodes)).toEqual(['a', 'b', 'c'])
    expect(options.of(OPTIONS.file)).toEqual(['x,y', 'z'])
  })
})

describe('values as Go reads them', () => {
  it.each([
    ['0', 0n],
    ['-12', -12n],
    ['0644', 0o644n],
    ['0o644', 0o644n],
    ['0x1A4', 420n],
    ['0b101', 5n],
    ['1_000', 1000n],
    ['0x_f', 15n],
    ['08', undefined],
    ['1__0', undefined],
    ['_1', undefined],
    ['1.0', undefined],
    ['', undefined],
    ['1'.repeat(100), undefined],
  ])('integer %s', (text, value) => {
    expect(goInteger(text)).toBe(value)
  })

  it.each([
    ['300ms', 300],
    ['1m30s', 90_000],
    ['1.5h', 5_400_000],
    ['5', 5_000],
    ['0', 0],
    ['.5s', 500],
    ['-1s', undefined],
    ['1', 1_000],
    ['1 s', undefined],
    ['s', undefined],
    ['', undefined],
  ])('duration %s', (text, ms) => {
    expect(goDuration(text)).toBe(ms)
  })

  it.each([
    ['True', true],
    ['f', false],
    ['yes', undefined],
  ])('truth %s', (text, value) => {
    expect(goBool(text)).toBe(value)
  })
})
