import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { isTree } from '../../src/schema.ts'
import { WORKER } from '../cluster/product.ts'

/** What workers have asked of the API server since it was asked last, by its audit log. */
export interface Audited {
  /** Of every verb. */
  readonly calls: number
  /** But for those of Leases and Events. */
  readonly writes: readonly string[]
  readonly leases: number
  readonly events: number
}

/** A watch is told of again when it ends. */
const BEGUN = 'ResponseStarted'
const READS = ['get', 'list', 'watch']
const USER = `system:serviceaccount:${WORKER.namespace}:${WORKER.name}`

export function together(one: Audited, other: Audited): Audited {
  return {
    calls: one.calls + other.calls,
    writes: [...one.writes, ...other.writes],
    leases: one.leases + other.leases,
    events: one.events + other.events,
  }
}

export function auditOf(file: string): () => Audited {
  let from = 0
  return () => {
    const text = textFrom(file, from)
    from += Buffer.byteLength(text)
    const calls = text.split('\n').flatMap(callIn)
    const writes = calls.filter(({ verb }) => !READS.includes(verb))
    const {
      leases = [],
      events = [],
      others = [],
    } = Object.groupBy(writes, ({ resource }) => (resource === 'leases' || resource === 'events' ? resource : 'others'))
    const { length } = calls
    return { calls: length, writes: others.map(inWords), leases: leases.length, events: events.length }
  }
}

interface Call {
  readonly verb: string
  readonly resource: string
  readonly path: string
}
const inWords = ({ verb, path }: Call) => `${verb} ${path}`

function callIn(line: string): readonly Call[] {
  if (!line.includes(USER)) return []
  const { user, verb, objectRef, requestURI, stage } = JSON.parse(line)
  if (!isTree(user) || user.username !== USER || stage === BEGUN) return []
  return [{ verb, resource: objectRef?.resource ?? '', path: requestURI }]
}

/** Whole lines. */
export function textFrom(file: string, from: number): string {
  const opened = openSync(file, 'r')
  const bytes = Buffer.alloc(fstatSync(opened).size - from)
  readSync(opened, bytes, 0, bytes.length, from)
  closeSync(opened)
  return bytes.subarray(0, bytes.lastIndexOf('\n') + 1).toString()
}
