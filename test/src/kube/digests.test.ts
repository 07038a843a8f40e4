import { describe, expect, it } from 'vitest'
import { crc32Of, md5Of, sha1Of, sha256Of } from '../../../src/kube/digests.ts'

describe('digests, by the vectors of the specification', () => {
  it('md5', () => {
    expect(md5Of('admin')).toBe('21232f297a57a5a743894a0e4a801fc3')
  })
  it('sha1', () => {
    expect(sha1Of('Passw0rd!')).toBe('f4a69973e7b0bf9d160f9f60e3c3acd2494beb0d')
  })
  it('sha256', () => {
    expect(sha256Of('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })
  it.each([
    ['demo-echo-2', '6586dc30'],
    ['demo-cfg-21', '411a681'], // 0411a681: no padding
  ])('crc32 of %s', (text, digest) => {
    expect(crc32Of(text)).toBe(digest)
  })
})
