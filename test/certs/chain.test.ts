import { beforeAll, describe, expect, it } from 'vitest'
import { issueAuthority, issueLeaf } from '../../certs/authority.ts'
import { anchorOf, certificatesOf, trustEnd } from '../../certs/chain.ts'
import type { KeyPair } from '../../certs/pair.ts'

const DAY = 86_400_000
const now = new Date()

let root: KeyPair
let other: KeyPair
let leaf: KeyPair
/** A CA of one name with another key, as after a CA was issued anew. */
beforeAll(async () => {
  root = await issueAuthority(now)
  other = await issueAuthority(new Date(now.getTime() - 1_000 * DAY))
  leaf = await issueLeaf(root, ['localhost'], now)
})

describe('a chain leads to', () => {
  const anchor = (chain: string, authorities: string) =>
    anchorOf(certificatesOf(chain), certificatesOf(authorities))?.fingerprint256
  const own = () => certificatesOf(root.cert)[0]?.fingerprint256

  it('the authority that signed it, among others of the same name', () => {
    expect(anchor(leaf.cert, other.cert + root.cert)).toBe(own())
  })
  it('none that did not sign it', () => {
    expect(anchor(leaf.cert, other.cert)).toBeUndefined()
  })
  it('the root, whatever else stands in it', () => {
    expect(anchor(leaf.cert + other.cert + root.cert, root.cert)).toBe(own())
  })
  it('itself when it is its own authority', () => {
    expect(anchor(root.cert, root.cert)).toBe(own())
  })
  it('none when it is empty', () => {
    expect(anchor('', root.cert)).toBeUndefined()
  })
})

describe('trust ends', () => {
  const end = (pem: string) => certificatesOf(pem)[0]?.validToDate
  it('with the authority that signed, though another one in the bundle ends sooner', () => {
    expect(trustEnd({ cert: leaf.cert, ca: other.cert + root.cert })).toEqual(end(root.cert))
  })
  it('with the first of them when none is known to have signed', () => {
    expect(trustEnd({ cert: '', ca: root.cert + other.cert })).toEqual(end(other.cert))
  })
})

it('what only looks like a certificate is left out', () => {
  const [fake, real] = ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', root.cert]
  expect(certificatesOf(fake + real)).toHaveLength(1)
})
