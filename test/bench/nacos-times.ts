import { WORKER } from '../cluster/product.ts'
import { textFrom } from './audited.ts'

interface Audited {
  readonly verb: string
  readonly requestURI: string
  readonly stageTimestamp: string
  readonly user: { readonly username: string }
  readonly objectRef?: { readonly resource: string; readonly name?: string }
}

const OURS = `system:serviceaccount:${WORKER.namespace}:${WORKER.name}`
const SOURCE = /^(.+)-user$/

/**
 * Answers how many milliseconds passed from each change of a source that has come to its StatefulSet, by the clock of the
 * API server: from its answer to the one until its answer to the other.
 */
export function changeTimes(auditLog: string): () => readonly number[] {
  const changed = new Map<string, number>()
  const times: number[] = []
  let from = 0
  function take({ user, objectRef, stageTimestamp }: Audited): void {
    const { resource, name = '' } = objectRef ?? {}
    const [, nacos] = SOURCE.exec(name) ?? []
    const now = Date.parse(stageTimestamp)
    const since = changed.get(name)
    if (resource === 'configmaps' && nacos !== undefined && user.username !== OURS) changed.set(nacos, now)
    else if (resource === 'statefulsets' && user.username === OURS && since !== undefined && changed.delete(name))
      times.push(now - since)
  }
  return () => {
    const text = textFrom(auditLog, from)
    from += Buffer.byteLength(text)
    for (const each of text.split('\n').flatMap(patchIn)) take(each)
    return times
  }
}

function patchIn(line: string): readonly Audited[] {
  if (!/"resource":"(configmaps|statefulsets)"/.test(line)) return []
  const event: Audited = JSON.parse(line)
  return event.verb === 'patch' && !event.requestURI.includes('dryRun=All') ? [event] : []
}
