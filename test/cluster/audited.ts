import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { ServiceAccount } from './client.ts'

interface AuditedEvent {
  readonly stage: string
  readonly verb: string
  readonly requestURI: string
  readonly user: { readonly username: string; readonly extra?: Readonly<Record<string, readonly string[]>> }
  readonly objectRef?: {
    readonly resource: string
    readonly subresource?: string
    readonly namespace?: string
    readonly name?: string
  }
  readonly responseStatus?: { readonly code: number }
}

/** One call of the API, by its entry in the audit log. */
export interface AuditedCall {
  readonly verb: string
  /** With its subresource, if any. */
  readonly resource: string
  readonly namespace: string
  /** Empty for a list. */
  readonly name: string
  readonly uri: string
  readonly code: number
  /** Each token of a service account has one of its own. */
  readonly credential: string | undefined
}

/** What an account has asked of the API server since this was called. */
export function auditOf(auditLog: string, { namespace, name }: ServiceAccount): () => readonly AuditedCall[] {
  const username = `system:serviceaccount:${namespace}:${name}`
  const from = sizeOf(auditLog)
  return () =>
    textFrom(auditLog, from)
      .split('\n')
      .filter((line) => line.includes(`"username":"${username}"`))
      .flatMap(eventIn)
      .filter(({ user, stage }) => user.username === username && stage === 'ResponseComplete')
      .map(callOf)
}

/** A killed API server leaves a line cut off. */
function eventIn(line: string): readonly AuditedEvent[] {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}

function callOf({ verb, requestURI, user, objectRef, responseStatus }: AuditedEvent): AuditedCall {
  const { resource = '', subresource, namespace = '', name = '' } = objectRef ?? {}
  return {
    verb,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    namespace,
    name,
    uri: requestURI,
    code: responseStatus?.code ?? 0,
    credential: user.extra?.['authentication.kubernetes.io/credential-id']?.[0],
  }
}

const READING = ['get', 'list', 'watch']
export const isWrite = ({ verb }: AuditedCall) => !READING.includes(verb)
export const inWords = ({ verb, resource, code }: AuditedCall) => `${verb} ${resource} ${code}`

function sizeOf(file: string): number {
  return reading(file, (fd) => fstatSync(fd).size)
}

function textFrom(file: string, from: number): string {
  return reading(file, (fd) => {
    const bytes = Buffer.alloc(fstatSync(fd).size - from)
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, from))
  })
}

function reading<T>(file: string, read: (fd: number) => T): T {
  const fd = openSync(file, 'r')
  try {
    return read(fd)
  } finally {
    closeSync(fd)
  }
}
