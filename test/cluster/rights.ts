import { readFileSync } from 'node:fs'
import { parseAllDocuments } from 'yaml'
import type { ServiceAccount } from './client.ts'

/** What may be asked, and of which objects: without a namespace of all of them, without a name of any object. */
interface Right {
  readonly verb: string
  readonly resource: string
  readonly namespace: string
  readonly name: string
}

/**
 * The least rights that allow all that an account has asked of the API server so far, by the audit log, in words, sorted.
 * Who asked twice for the same Secret needs that one; who asked in two namespaces needs the right in all of them.
 */
export function rightsUsed(auditLog: string, { namespace, name }: ServiceAccount): readonly string[] {
  const username = `system:serviceaccount:${namespace}:${name}`
  const calls = readFileSync(auditLog, 'utf8')
    .split('\n')
    .filter((line) => line.includes(username))
    .map((line) => JSON.parse(line))
    .filter(({ user, objectRef }) => user.username === username && objectRef)
    .flatMap(calledIn)
  const alike = Object.groupBy(calls, ({ verb, resource }) => `${verb} ${resource}`)
  return Object.values(alike).flatMap(leastFor).sort()
}

/** What the printed roles of this name give, in the same words. */
export function rightsGranted(manifests: string, name: string): readonly string[] {
  const objects = parseAllDocuments(manifests).map((document) => document.toJS())
  const roles = objects.filter(({ metadata }) => metadata.name === name)
  return roles
    .flatMap(({ rules = [], metadata }) => rules.flatMap((rule: Rule) => rightsIn(rule, metadata.namespace)))
    .sort()
}

interface Call {
  readonly verb: string
  readonly requestURI: string
  readonly responseStatus?: { readonly code: number }
  readonly objectRef: {
    readonly apiGroup?: string
    readonly resource: string
    readonly subresource?: string
    readonly namespace?: string
    readonly name?: string
  }
}

/** An apply that creates is one call, and takes both rights. */
function calledIn({ verb, requestURI, objectRef, responseStatus }: Call): readonly Right[] {
  const { apiGroup = '', resource, subresource, namespace = '', name = selectedIn(requestURI) } = objectRef
  const path = subresource === undefined ? resource : `${resource}/${subresource}`
  const verbs = verb === 'patch' && responseStatus?.code === 201 ? [verb, 'create'] : [verb]
  return verbs.map((verb) => ({ verb, resource: qualified(path, apiGroup), namespace, name }))
}

/** A watch of one object names it in its field selector alone, and RBAC goes by that (measured). */
function selectedIn(uri: string): string {
  const selector = new URL(uri, 'https://any').searchParams.get('fieldSelector') ?? ''
  const [, name = ''] = /^metadata\.name=([^,]+)$/.exec(selector) ?? []
  return name
}

/** Of webhook configurations a process knows some by name, and has a right to each of them. */
function leastFor(calls: readonly Right[] = []): readonly string[] {
  if (calls.some(({ resource }) => resource.includes('webhookconfigurations.'))) return [...new Set(calls.map(inWords))]
  const common = (part: 'namespace' | 'name') => {
    const [first = '', ...others] = new Set(calls.map((call) => call[part]))
    return others.length === 0 ? first : ''
  }
  const [first] = calls
  return first ? [inWords({ ...first, namespace: common('namespace'), name: common('name') })] : []
}

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly verbs: readonly string[]
}

/** A Role has a namespace, and gives its rights there. */
function rightsIn({ verbs, resources, apiGroups, resourceNames = [''] }: Rule, namespace = ''): readonly string[] {
  return verbs.flatMap((verb) =>
    resources.flatMap((resource) =>
      apiGroups.flatMap((group) =>
        resourceNames.map((name) => inWords({ verb, resource: qualified(resource, group), namespace, name })),
      ),
    ),
  )
}

function qualified(resource: string, group: string): string {
  return group === '' ? resource : `${resource}.${group}`
}

function inWords({ verb, resource, namespace, name }: Right): string {
  const where = namespace === '' ? '' : ` in ${namespace}`
  return `${verb} ${resource}${where}${name === '' ? '' : ` named ${name}`}`
}
