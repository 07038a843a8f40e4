import type { Built, Words } from '../../../src/cluster/port.ts'
import { md5Of, sha1Of } from '../../../src/kube/digests.ts'
import { quickHash } from '../passwords.ts'
import { GOING } from './templates.ts'

interface AccountWishes {
  readonly name?: string
  readonly username?: string
  readonly annotations?: Words
  /** Beside `activated`; the hash alone when absent. */
  readonly authentication?: object
  readonly finalizers?: readonly string[]
  /** Waits for its finalizers. */
  readonly going?: boolean
}

export const A_TOKEN = { name: 'login', content: 'a session', expirationTime: '2026-12-01T00:00:00Z', valid: true }

/** As it is stored for this password, by the quick threads of the tests. */
export const hashFor = (password: string, cost = 10) => quickHash(sha1Of(password), cost)

export function aTAccount({
  username = 'admin',
  name = md5Of(username),
  annotations,
  authentication = { bcryptPassword: hashFor('Passw0rd!'), tokens: [] },
  finalizers,
  going = false,
}: AccountWishes = {}): Built {
  return {
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TAccount',
    metadata: {
      name,
      namespace: 'demo',
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      ...(going && GOING),
    },
    spec: { username, authentication: { activated: true, ...authentication }, authorization: [] },
  }
}
