import { CONTROLLER } from '../../admission/identities.ts'
import { Fault } from '../../faults.ts'
import { invalid as invalidValue } from '../api-words/causes.ts'
import { invalid } from '../api-words/refusals.ts'
import { canBeName, canBeNamespace, collectionPath, objectPath, qualified } from '../paths.ts'
import type { Built, ClusterReader, ClusterWriter, Gvr, Ref, Refused, Stored, Words } from '../port.ts'
import { isStored, refOf } from '../stored.ts'
import { OBJECT_OF_METADATA } from './watch/page.ts'
import type { CallOptions, Connection, HttpAnswer } from './wire/connection.ts'
import { unableTo, unwritten } from './wire/failed-call.ts'

const METHODS = { create: 'POST', replace: 'PUT', patch: 'PATCH', apply: 'PATCH', remove: 'DELETE' } as const
type Verb = keyof typeof METHODS

/** A write calls other webhooks, each of which may take its time. */
const WRITE_MS = 15_000

export function kubeWriter(connection: Connection, timeoutMs = WRITE_MS): ClusterWriter {
  const send = (verb: Verb, of: Gvr, ref: Ref, options: CallOptions, subresource?: 'status', query?: Words) =>
    write(connection, { verb, of, ref, subresource, query }, { timeoutMs, ...options })
  return {
    create: async (of, object, options) =>
      storedIn(await send('create', of, refOf(object), { ...options, body: object })),
    async replace(of, object, options) {
      if (object.metadata.resourceVersion === undefined) throw versionMissing(of, object)
      return storedIn(await send('replace', of, refOf(object), { ...options, body: object }))
    },
    async patch(of, ref, operations, { subresource, ...options } = {}) {
      const sent = { ...options, body: operations, contentType: 'application/json-patch+json' }
      return storedIn(await send('patch', of, ref, sent, subresource))
    },
    async apply(of, object, { manager, ...options }) {
      const sent = { ...options, body: object, contentType: APPLY_TYPE }
      return storedIn(await send('apply', of, refOf(object), sent, undefined, forcedBy(manager)))
    },
    async merge(of, ref, patch, { metadataOnly = false, subresource, ...options } = {}) {
      const sent = { ...options, body: patch, contentType: 'application/merge-patch+json' }
      const form = metadataOnly ? OBJECT_OF_METADATA : {}
      return storedIn(await send('patch', of, ref, { ...sent, ...form }, subresource))
    },
    async remove(of, ref, { fence, ...options } = {}) {
      const body = { apiVersion: 'v1', kind: 'DeleteOptions', ...options }
      await send('remove', of, ref, { body, ...(fence && { fence }) })
    },
  }
}

/** It runs through the webhooks of others too, so it may take longer than a read. */
const DRY_RUN_MS = 5_000

export function kubeDryRun(connection: Connection, timeoutMs = DRY_RUN_MS): ClusterReader['dryRun'] {
  return async (of, object, by, manager = CONTROLLER) => {
    const contentType = by === 'apply' ? { contentType: APPLY_TYPE } : {}
    const query = { dryRun: 'All', ...(by === 'apply' && forcedBy(manager)) }
    const options = { timeoutMs, body: object, ...contentType }
    return storedIn(await write(connection, { verb: by, of, ref: refOf(object), query }, options))
  }
}

const APPLY_TYPE = 'application/apply-patch+yaml'
const forcedBy = (manager: string): Words => ({ fieldManager: manager, force: 'true' })

/** For core kinds the API server would accept an update without a version, and overwrite other writes (CL-4). */
function versionMissing(of: Gvr, { metadata }: Built): Refused {
  return invalid(of, metadata.name, [invalidValue('metadata.resourceVersion', 0, 'must be specified for an update')])
}

interface Target {
  readonly verb: Verb
  readonly of: Gvr
  readonly ref: Ref
  readonly subresource?: 'status' | undefined
  readonly query?: Words | undefined
}

async function write(
  connection: Connection,
  { verb, of, ref, subresource, query = {} }: Target,
  options: CallOptions,
): Promise<HttpAnswer> {
  const what = `${query.dryRun === undefined ? '' : 'dry-run '}${verb} ${qualified(of)} ${[ref.namespace, ref.name].filter(Boolean).join('/')}`
  const canBe = canBeNamespace(ref.namespace) && (verb === 'create' || canBeName(ref.name))
  if (!canBe) throw new Fault('GONE', `cannot ${what}: nothing has such a name`)
  const path = verb === 'create' ? collectionPath(of, ref.namespace) : objectPath(of, ref)
  const search = new URLSearchParams(query).toString()
  const full = [path, subresource].filter(Boolean).join('/') + (search && `?${search}`)
  const answer = await connection.request(METHODS[verb], full, options).catch(unableTo(what))
  if (answer.status < 200 || answer.status > 299) throw unwritten(what, answer)
  return answer
}

function storedIn({ status, body }: HttpAnswer): Stored {
  if (isStored(body)) return body
  throw new Fault('CLUSTER_REFUSED', `the API server answers a write with ${status} and no object`)
}
