import { hostPortsOf, type Place, placesOf, portsOf, type Spec, servantsOf } from '../shape.ts'
import type { Subject } from './subject.ts'
import { firsts } from './written-form.ts'

interface PortEntry {
  readonly place: Place
  readonly hostPort: number | undefined
  /** Undefined where the lower-case name is no legal name of a container port. */
  readonly ownName: string | undefined
}

/** MP-21a…e. Each name is given once, since two equal names are a 422. */
export function containerPorts({ server: { spec }, given: { profile } }: Subject) {
  const entries = profile === 'upstream' ? entriesOfUpstream(spec) : placesOf(spec).map(entryIn(spec))
  const written = firsts(entries, ({ place: { port, protocol } }) => `${port} ${protocol}`)
  const ownNames = new Set(written.map(({ ownName }) => ownName))
  const names = new Set<string>()
  return written.map(({ place: { port, protocol }, hostPort, ownName }) => {
    const name = ownName ?? substitute(port, hostPort)
    const isTaken = names.has(name) || (ownName === undefined && ownNames.has(name))
    if (!isTaken) names.add(name)
    return {
      ...(!isTaken && { name }),
      containerPort: port,
      protocol,
      ...(hostPort !== undefined && { hostPort }),
    }
  })
}

const substitute = (port: number, hostPort?: number) => (hostPort === undefined ? `p${port}` : `p${hostPort}-${port}`)

/** MP-21e: ports first, then the servants that have a host port, none of them by its own name. */
function entriesOfUpstream(spec: Spec): readonly PortEntry[] {
  const entryOf = entryIn(spec)
  const servants = servantsOf(spec).map(entryOf)
  const reached = servants.filter(({ hostPort }) => hostPort !== undefined)
  return [...portsOf(spec).map(entryOf), ...reached.map((entry) => ({ ...entry, ownName: undefined }))]
}

function entryIn(spec: Spec): (place: Place) => PortEntry {
  const hostPorts = hostPortsByName(spec)
  return (place) => {
    const name = place.name.toLowerCase()
    return { place, hostPort: hostPorts.get(name), ownName: isPortName(name) ? name : undefined }
  }
}

/** MP-21c, MP-21d: with hostNetwork each port is one of the node already. */
function hostPortsByName(spec: Spec): ReadonlyMap<string, number> {
  if (spec.k8s.hostNetwork) return new Map()
  const named = hostPortsOf(spec).map(({ nameRef, port }) => ({ name: nameRef.toLowerCase(), port }))
  return new Map(firsts(named, ({ name }) => name).map(({ name, port }) => [name, port]))
}

const LONGEST_PORT_NAME = 15
const PORT_NAME = /^(?=.*[a-z])(?!.*--)[0-9a-z]([-0-9a-z]*[0-9a-z])?$/
const isPortName = (name: string) => name.length <= LONGEST_PORT_NAME && PORT_NAME.test(name)
