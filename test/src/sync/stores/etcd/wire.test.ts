import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesField, Message, message, numberField, WireError } from '../../../../../src/sync/stores/etcd/wire.ts'

describe('the wire format of protobuf', () => {
  it('is what the tables of protobuf say', () => {
    expect(numberField(1, 150n).toString('hex')).toBe('089601')
    expect(bytesField(2, Buffer.from('testing')).toString('hex')).toBe('120774657374696e67')
    expect(numberField(3, -1n).toString('hex')).toBe('18ffffffffffffffffff01')
    expect(numberField(4, 0n)).toHaveLength(0)
  })

  it('gives back what was written', () => {
    const field = fc.integer({ min: 1, max: 40 })
    fc.assert(
      fc.property(
        field,
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        fc.uint8Array(),
        (number, value, bytes) => {
          const read = new Message(message(numberField(number, value), bytesField(number, Buffer.from(bytes))))
          expect(read.number(number)).toBe(value)
          expect([...read.bytes(number)]).toEqual([...bytes])
        },
      ),
    )
  })

  it('skips fields of other types', () => {
    const fixed = Buffer.from('0d01020304' + '110102030405060708', 'hex')
    expect(new Message(message(fixed, numberField(3, 5n))).number(3)).toBe(5n)
  })

  it.each([
    { name: 'a number that is cut', hex: '0896' },
    { name: 'a number that does not end', hex: `08${'ff'.repeat(20)}` },
    { name: 'a field that is longer than the rest', hex: '12ff01' },
    { name: 'a group', hex: '0b' },
  ])('refuses $name', ({ hex }) => {
    expect(() => new Message(Buffer.from(hex, 'hex'))).toThrow(WireError)
  })

  it('throws nothing else, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          new Message(Buffer.from(bytes))
        } catch (error) {
          expect(error).toBeInstanceOf(WireError)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
