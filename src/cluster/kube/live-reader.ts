import { LIVE_READ_MS } from '../../admission/deadline.ts'
import { isLabelValue } from '../../kube/labels.ts'
import { canBeName, canBeNamespace, collectionPath, objectPath, qualified } from '../paths.ts'
import type { Built, ClusterReader, Gvr, Ref, Stored, Where, Words } from '../port.ts'
import { foundAs, hasValue, isStored, listedAs } from '../stored.ts'
import { allPages, LIST_OF_METADATA, pageOrNone, pager } from './watch/page.ts'
import type { CallOptions, Connection, HttpAnswer } from './wire/connection.ts'
import { unableTo, unread } from './wire/failed-call.ts'
import { kubeDryRun } from './writer.ts'

/** Live GET and LIST, and dry runs. An object of an unknown resource does not exist; any failure is a fault (SV-6). */
export function liveReader(connection: Connection, timeoutMs = LIVE_READ_MS): ClusterReader {
  const ask: Ask = (what, path, form = {}) =>
    connection.request('GET', path, { ...form, timeoutMs }).catch(unableTo(what))
  return {
    async get(of, ref) {
      const canBe = canBeName(ref.name) && canBeNamespace(ref.namespace)
      const object = canBe ? await objectAt(of, ref, ask) : undefined
      return object && foundAs(of, object)
    },
    async list(of, where) {
      const canBe = canBeNamespace(where.namespace) && canBeName(where.name ?? 'any') && isSelectable(where.labels)
      const objects = canBe ? await wantedIn(of, where, ask) : []
      return listedAs(of, objects, where)
    },
    dryRun: kubeDryRun(connection),
  }
}

type Ask = (what: string, path: string, form?: Pick<CallOptions, 'accept'>) => Promise<HttpAnswer>

async function objectAt(of: Gvr, ref: Ref, ask: Ask): Promise<Stored | undefined> {
  const what = `get ${qualified(of)} ${[ref.namespace, ref.name].filter(Boolean).join('/')}`
  const answer = await ask(what, objectPath(of, ref))
  if (answer.status === 404) return undefined
  if (answer.status === 200 && isStored(answer.body)) return answer.body
  throw unread(what, answer)
}

async function wantedIn(of: Gvr, { by, ...where }: Where, ask: Ask): Promise<readonly Built[]> {
  if (by === undefined) return objectsIn(of, where, ask)
  const { limit: _, metadataOnly: __, ...whole } = where
  return (await objectsIn(of, whole, ask)).filter((object) => hasValue(object, by))
}

async function objectsIn(of: Gvr, where: Where, ask: Ask): Promise<readonly Built[]> {
  const what = `list ${qualified(of)}${where.namespace && ` in ${where.namespace}`}`
  const form = where.metadataOnly ? LIST_OF_METADATA : {}
  const askFor = (page: Words) => ask(what, collectionPath(of, where.namespace, { ...selection(where), ...page }), form)
  const pages = pager({ objects: where.limit })
  return allPages(what, async (next) => pageOrNone(what, await pages(next, askFor), next), where.limit)
}

/** No object carries a value that is no label value, and the API server would refuse such a selector. */
function isSelectable(labels: Words = {}): boolean {
  return Object.values(labels).every(isLabelValue)
}

function selection({ name, labels = {}, carrying = [] }: Where): Words {
  const labelSelector = [...Object.entries(labels).map(([label, value]) => `${label}=${value}`), ...carrying]
  return {
    ...(labelSelector.length > 0 && { labelSelector: labelSelector.join(',') }),
    ...(name !== undefined && { fieldSelector: `metadata.name=${name}` }),
  }
}
