import type { Create, Finding, Rule, Update } from '../../kit/admission.ts'
import { repeated } from '../repeated.ts'
import { NODE_LOOPBACK_PORT, NODE_SERVANT } from './reserved.ts'
import type { TServer } from './schema.ts'
import { hostPortsOf, isTars, type Place, placesOf, portsOf, type Spec } from './shape.ts'

type PortsWrite = Create<TServer> | Update<TServer>

const ofTars = ({ next }: PortsWrite) => isTars(next.spec)
const notOfTars = ({ next }: PortsWrite) => !isTars(next.spec)

const lowered = ({ name }: { readonly name: string }) => name.toLowerCase()
const isReservedName = (place: Place) => lowered(place) === NODE_SERVANT.name.toLowerCase()
const onPort = (spec: Spec, number: number) =>
  placesOf(spec).flatMap(({ path, port }) => (port === number ? [{ path: `${path}.port`, value: port }] : []))

const anotherName = 'give each a name of its own'
const anotherPort = 'give each a port of its own'
const duplicatesName = ({ value, by = [] }: Finding) => `"${value}" duplicates ${by.join()} (compared without case)`
const usedAlready = ({ value, by = [] }: Finding) => `${value} already used by ${by.join()}`

/** Servants and ports have names, and the ports by which clients reach them. */
export const portRules: readonly Rule<TServer>[] = [
  {
    id: 'TS-V8',
    field: 'spec.tars.servants[].name',
    on: 'write',
    when: ofTars,
    check: ({ next }) => sameNames(placesOf(next.spec)),
    message: duplicatesName,
    remedy: anotherName,
  },
  {
    id: 'TS-V9',
    field: 'spec.tars.servants[].port',
    on: 'write',
    when: ofTars,
    check: ({ next }) => samePorts(placesOf(next.spec), ({ port }) => port),
    message: usedAlready,
    remedy: anotherPort,
  },
  {
    id: 'TS-V10',
    field: 'spec.tars.servants[].name',
    on: 'write',
    when: ofTars,
    check: reservedNames,
    message: ({ value }) => `"${value}" is reserved for the node agent`,
    remedy: 'take another name',
  },
  {
    id: 'TS-V11',
    field: 'spec.tars.servants[].port',
    on: 'write',
    when: ofTars,
    check: ({ next }) => onPort(next.spec, NODE_SERVANT.port),
    message: ({ value }) => `${value} is reserved for tarsnode`,
    remedy: 'take another port',
  },
  {
    id: 'TS-V12',
    field: 'spec.normal.ports[].name',
    on: 'write',
    when: notOfTars,
    check: ({ next }) => sameNames(portsOf(next.spec)),
    message: duplicatesName,
    remedy: anotherName,
  },
  {
    id: 'TS-V13',
    field: 'spec.normal.ports[].port',
    on: 'write',
    when: notOfTars,
    check: ({ next }) => samePorts(portsOf(next.spec), ({ port, protocol }) => `${port} ${protocol}`),
    message: usedAlready,
    remedy: anotherPort,
  },
  {
    id: 'TS-V16',
    field: 'spec.k8s.hostPorts[].nameRef',
    on: 'write',
    check: ({ next }) => danglingRefs(next.spec),
    message: ({ value }) => `no servant or port named "${value}"`,
    remedy: 'name one of spec.tars.servants, spec.tars.ports or spec.normal.ports',
  },
  {
    id: 'TS-V17',
    field: 'spec.k8s.hostPorts[].port',
    on: 'write',
    check: ({ next }) => sameHostPorts(next.spec),
    message: usedAlready,
    remedy: anotherPort,
  },
  {
    id: 'TS-V18',
    field: 'spec.k8s.hostPorts[].nameRef',
    on: 'write',
    check: ({ next }) =>
      repeated(hostPortsOf(next.spec), ({ nameRef }) => nameRef.toLowerCase()).map(({ item, at, firstAt }) => ({
        path: `spec.k8s.hostPorts[${at}].nameRef`,
        value: item.nameRef,
        by: [`hostPorts[${firstAt}]`],
      })),
    message: duplicatesName,
    remedy: 'keep one of them',
  },
  {
    id: 'TS-V26',
    field: 'spec.tars.servants[].name, spec.normal.ports[].name',
    on: 'write',
    check: ({ next }) =>
      portsOf(next.spec)
        .filter(({ name }) => !(/[a-z]/.test(name) && !name.includes('--')))
        .map(({ path, name }) => ({ path: `${path}.name`, value: name })),
    message: ({ value }) => `"${value}" must contain a letter, and no "--"`,
    remedy: 'take a name such as http or http-2, which a container can carry',
  },
  {
    id: 'TS-W3',
    field: 'spec.tars.servants[].port',
    on: 'write',
    effect: 'warn',
    when: ofTars,
    check: ({ next }) => onPort(next.spec, NODE_LOOPBACK_PORT),
    message: ({ value }) => `tarsnode listens on ${value} of loopback`,
    remedy: 'better take another port',
  },
]

export function sameNames(places: readonly Place[]): readonly Finding[] {
  return repeated(places, lowered).map(({ item, first }) => ({
    path: `${item.path}.name`,
    value: item.name,
    by: [first.short],
  }))
}

function samePorts(places: readonly Place[], keyOf: (place: Place) => unknown): readonly Finding[] {
  return repeated(places, keyOf).map(({ item, first }) => ({
    path: `${item.path}.port`,
    value: item.port,
    by: [first.short],
  }))
}

/** A reserved name of the old object may stay, in any place and any spelling. */
function reservedNames(given: PortsWrite): readonly Finding[] {
  if (given.operation === 'UPDATE' && placesOf(given.prev.spec).some(isReservedName)) return []
  const named = placesOf(given.next.spec).filter(isReservedName)
  return named.map(({ path, name }) => ({ path: `${path}.name`, value: name }))
}

function danglingRefs(spec: Spec): readonly Finding[] {
  const names = new Set(placesOf(spec).map(lowered))
  return hostPortsOf(spec).flatMap(({ nameRef }, at) =>
    names.has(nameRef.toLowerCase()) ? [] : [{ path: `spec.k8s.hostPorts[${at}].nameRef`, value: nameRef }],
  )
}

/** TCP and UDP may share a number, which DNS needs; a dangling nameRef counts as TCP. */
export function sameHostPorts(spec: Spec): readonly Finding[] {
  const protocols = new Map(placesOf(spec).map((place) => [lowered(place), place.protocol]))
  const keyOf = ({ nameRef, port }: { readonly nameRef: string; readonly port: number }) =>
    `${port} ${protocols.get(nameRef.toLowerCase()) ?? 'TCP'}`
  return repeated(hostPortsOf(spec), keyOf).map(({ item, at, firstAt }) => ({
    path: `spec.k8s.hostPorts[${at}].port`,
    value: item.port,
    by: [`hostPorts[${firstAt}]`],
  }))
}
