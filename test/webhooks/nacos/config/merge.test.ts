import { describe, expect, it } from 'vitest'
import { configDigest } from '../../../../webhooks/nacos/config/digest.ts'
import { MOST_BYTES, merge, mergedText, type SourceText } from '../../../../webhooks/nacos/config/merge.ts'
import { normalised } from '../../../../webhooks/nacos/config/normalise.ts'
import { protectedKeysOf } from '../../../../webhooks/nacos/config/protected.ts'
import { MERGES } from './vectors.ts'

const NONE = protectedKeysOf([])
const laidOut = (internal: string, user: string) => mergedText(normalised(internal), normalised(user))
const internalText = (text: string): SourceText => ({ owner: 'internal', name: 'ops', key: 'i', text })
const userText = (text: string): SourceText => ({ owner: 'user', name: 'team', key: 'u', text })

describe('NC-TST-10 the golden merges', () => {
  it('are fourteen', () => {
    expect(MERGES.map(({ name }) => name)).toEqual(Array.from({ length: 14 }, (_, at) => `G${at + 1}`))
  })
  it.each(MERGES)('NC-MRG-20 NC-MRG-21 NC-DIG-01 $name has $size bytes and digest $digest', (golden) => {
    const text = laidOut(golden.internal, golden.user)
    expect(Buffer.byteLength(text)).toBe(golden.size)
    expect(configDigest(text)).toBe(golden.digest)
  })
})

describe('the layout of the final text', () => {
  it('NC-MRG-22 NC-MRG-23 NC-MRG-25 has the internal part first, and keeps every line end', () => {
    expect(laidOut('a=1\n', 'a=2\n')).toBe(
      '# ===== Internal Configuration =====\na=1\n\n\n# ===== User Configuration =====\na=2\n\n',
    )
  })
  it.each([
    { name: 'the internal one', internal: '', user: 'b=2', text: '# ===== User Configuration =====\nb=2\n' },
    { name: 'the user one', internal: 'a=1', user: '', text: '# ===== Internal Configuration =====\na=1\n\n' },
    { name: 'both', internal: '', user: '\ufeff', text: '' },
  ])('NC-MRG-43 NC-MRG-44 leaves an empty part out: $name', ({ internal, user, text }) => {
    expect(laidOut(internal, user)).toBe(text)
  })
})

describe('a merge', () => {
  it('answers text and digest, of one source or of both', () => {
    const text = laidOut('a=1', 'b=2')
    expect(merge([internalText('a=1'), userText('b=2')], NONE)).toEqual({ text, digest: configDigest(text) })
    expect(merge([userText('b=2'), internalText('a=1')], NONE)).toEqual({ text, digest: configDigest(text) })
    expect(merge([userText('b=2')], NONE)).toMatchObject({ text: laidOut('', 'b=2') })
  })

  const protects = protectedKeysOf([], { 'nacos.io/protected-keys': 'server.port' })
  it.each([
    {
      name: 'NC-MRG-46 the first error of a source, with its line',
      sources: [internalText('a=1'), userText('b=2\n\nc=\\u')],
      hold: 'MalformedProperties',
      message: 'ConfigMap "team" key "u" line 3: malformed \\uxxxx escape',
    },
    {
      name: 'NC-PRO-05 NC-MRG-47 a protected key of the user',
      sources: [internalText('server.port=1'), userText('b=2\nserver.port=s3cret')],
      hold: 'ProtectedKey',
      message:
        'ConfigMap "team" key "u" line 2: key "server.port" is protected by ConfigMap "ops" and cannot be set here',
    },
    {
      name: 'NC-PRO-05 a key that the operator protects',
      sources: [userText('server.port=1')],
      hold: 'ProtectedKey',
      message: 'ConfigMap "team" key "u" line 1: key "server.port" is protected by the operator and cannot be set here',
    },
    { name: 'NC-MRG-45 no property', sources: [userText('# b=2\n'), internalText('')], hold: 'EmptyConfig' },
    { name: 'NC-MRG-45 no source', sources: [], hold: 'EmptyConfig' },
  ])('is held by $name', ({ sources, hold, message = 'the sources set no property at all' }) => {
    expect(merge(sources, protects)).toEqual({ hold, message })
  })

  it('is not held by a protected key that the internal source sets', () => {
    expect(merge([internalText('server.port=1'), userText('b=2')], protects)).not.toHaveProperty('hold')
  })
  it.each([
    { name: 'NC-MRG-32 two spellings of a key', internal: 'a.b-c=1', user: 'a.bC=2' },
    { name: 'NC-MRG-34 the items of a list', internal: 'a[]=1,2,3', user: 'a[]=4' },
  ])('has both, since the loader decides: $name', ({ internal, user }) => {
    const { text = '' } = { text: '', ...merge([internalText(internal), userText(user)], NONE) }
    expect(text.split('\n')).toEqual(expect.arrayContaining([internal, user]))
  })
  it('is not held by warnings', () => {
    expect(merge([userText('b=中\nb\n')], NONE)).not.toHaveProperty('hold')
  })

  it('NC-MRG-48 holds what is a byte too long, counted with its escapes', () => {
    const room = MOST_BYTES - Buffer.byteLength(laidOut('', 'a=中'))
    const most = userText(`a=中${'x'.repeat(room)}`)
    expect(merge([most], NONE)).not.toHaveProperty('hold')
    expect(merge([{ ...most, text: `${most.text}x` }], NONE)).toEqual({
      hold: 'TooLarge',
      message: 'the merged configuration has 1000001 bytes, at most 1000000 are allowed',
    })
  })
})

it('NC-DIG-04 NC-DIG-14 a digest is of the text alone, and the same again for the same text', () => {
  expect(configDigest('a=1')).toBe(configDigest('a=1'))
  expect(configDigest('a=1')).not.toBe(configDigest('a=1\n'))
  expect(configDigest('')).toBe('e3b0c44298fc1c14')
})
