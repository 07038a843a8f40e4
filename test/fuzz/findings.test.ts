import { once } from 'node:events'
import { expect, it } from 'vitest'
import { pagesIn } from '../../src/review/pages.ts'
import { TSERVER } from '../../webhooks/tars/tserver/schema.ts'
import { answered, VALIDATING, wordsOf } from '../support/answerer-parts.ts'
import { aMount, aTServer } from '../support/builders/servers.ts'
import { fileOf } from '../support/folders.ts'
import { reviewsOf } from '../support/reviews.ts'
import { serving } from '../support/serving.ts'
import { ran } from '../support/world.ts'

/** What `npm run fuzz` found and was mended, each in the form in which it was found. */
const FOUND: readonly { readonly name: string; readonly holds: () => Promise<void> }[] = [
  {
    name: 'an alias of nothing in the file of settings ends in a sentence, not in a stack',
    async holds() {
      const { code, err } = await ran(['config', 'print', '--config', fileOf('port: *x\n', 'settings.yaml')])
      expect(code).toBe(2)
      expect(err).toMatch(/settings\.yaml: Unresolved alias .*: x\n/)
    },
  },
  {
    name: 'a connection on which a proxy was asked for is closed by us, and holds up no stop',
    async holds() {
      await using server = await serving()
      const [socket, accepted] = [await server.dial(), once(server.app.server, 'connect')]
      socket.write('CONNECT us:443 HTTP/1.1\r\nHost: us\r\n\r\n')
      const [, there] = await accepted
      await once(there, 'close')
      socket.destroy()
    },
  },
  {
    name: 'a key of a manifest that is a list or has fields is refused with its line, as kubectl does',
    async holds() {
      const why = 'a key that is no text, but a list or has fields of its own'
      expect(() => pagesIn('x.yaml', 'a: 1\nb:\n  { c: d }: 2\n')).toThrow(`x.yaml:3: ${why}`)
      expect(() => pagesIn('x.yaml', 'a:\n  &x [b]\nc:\n  ? *x\n')).toThrow(`x.yaml:2: ${why}`)
    },
  },
  {
    name: 'a refusal shows in quotes what could not be told from the words around it, a mountPath that is empty',
    async holds() {
      const server = aTServer({ k8s: { mounts: ['a', 'b'].map((name) => aMount({ name, mountPath: '' })) } })
      const answer = await answered(VALIDATING, reviewsOf(TSERVER).creationOf(server))
      expect(wordsOf(answer)).toMatch('spec.k8s.mounts[1].mountPath: "" already used by mounts[0]; ')
    },
  },
]

it.each(FOUND)('$name', ({ holds }) => holds())
