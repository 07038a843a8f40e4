import { collectionPath, objectPath } from '../../../src/cluster/paths.ts'
import { type Built, Refused } from '../../../src/cluster/port.ts'
import { isStored } from '../../../src/cluster/stored.ts'
import type { Status } from '../../../src/kube/status.ts'
import { isTree, type Tree } from '../../../src/schema.ts'
import type { Answer, Cluster } from '../../cluster/client.ts'
import type { Author, Sent } from './bench.ts'

/** A person with curl and kubectl. */
export function controlPlaneAuthor({ request, kubectl }: Cluster): Author {
  const send = async (...requested: Parameters<Cluster['request']>) => taken(await request(...requested))
  return {
    create: async (of, object, sent) =>
      storedIn(await send('POST', collectionPath(of, refOf(object).namespace, queryOf(sent)), object)),
    replace: async (of, object, sent) =>
      storedIn(await send('PUT', objectPath(of, refOf(object)) + searchOf(sent), object)),
    patch: async (of, ref, operations, sent) =>
      storedIn(
        await send('PATCH', objectPath(of, ref) + searchOf(sent), operations, {
          contentType: 'application/json-patch+json',
        }),
      ),
    merge: async (of, ref, patch, sent) =>
      storedIn(
        await send('PATCH', objectPath(of, ref) + searchOf(sent), patch, {
          contentType: 'application/merge-patch+json',
        }),
      ),
    async remove(of, ref, sent) {
      await send('DELETE', objectPath(of, ref) + searchOf(sent))
    },
    async applyOnClient(_of, file, { dryRun = false } = {}) {
      const flags = dryRun ? ['--dry-run=server'] : []
      const { code, stdout, stderr } = await kubectl(['apply', '-f', '-', '-o', 'json', ...flags], {
        stdin: JSON.stringify(file),
      })
      if (code !== 0) throw new Refused(statusIn(stderr))
      return storedIn(JSON.parse(stdout))
    },
  }
}

function refOf({ metadata }: Tree) {
  const { name, namespace } = isTree(metadata) ? metadata : {}
  return { name: String(name), namespace: String(namespace) }
}

function queryOf({ dryRun = false, fieldValidation }: Sent = {}): Readonly<Record<string, string>> {
  return { ...(dryRun && { dryRun: 'All' }), ...(fieldValidation && { fieldValidation }) }
}
const searchOf = (sent: Sent | undefined) => `?${new URLSearchParams(queryOf(sent))}`

function taken({ status, body }: Answer): unknown {
  if (status < 300) return body
  throw isStatus(body) ? new Refused(body) : new Error(`the API server answers ${status}: ${JSON.stringify(body)}`)
}
function isStatus(value: unknown): value is Status {
  return isTree(value) && value.kind === 'Status' && typeof value.message === 'string'
}

function storedIn(body: unknown): Built {
  if (isStored(body)) return body
  throw new Error(`no object, but ${JSON.stringify(body)}`)
}

/** kubectl prints the reason of whatever is not about values, and then its words; of values, the causes alone. */
function statusIn(stderr: string): Status {
  const [, reason = 'Invalid'] = /^Error from server \((\w+)\)/m.exec(stderr) ?? []
  return { code: reason === 'BadRequest' ? 400 : 422, reason, message: stderr }
}
