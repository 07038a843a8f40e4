import { aService, aWorkload, OF_SERVER } from '../../support/builders/workloads.ts'
import { asking, lists, many, over, table } from './entry.ts'

const SERVICE = { group: '', version: 'v1', kind: 'Service', plural: 'services', scope: 'Namespaced' } as const
const service = aService()
const { having, isNew, isMade, isChanged, isGone, created, isForced } = asking(SERVICE, service)
const workload = (kind: string, plural: string, object = aWorkload('DaemonSet')) =>
  asking({ group: 'apps', version: 'v1', kind, plural, scope: 'Namespaced' }, object).created({})
/** A Service of a server that the cluster has. */
const running = having({ spec: { clusterIP: 'None' } }, { name: 'demo-run' })
const controlled = having(
  {},
  { ownerReferences: [{ apiVersion: 'k8s.tars.io/v1beta2', kind: 'TServer', name: 'a', uid: 'u', controller: true }] },
)
const labels = (given: unknown, word?: string) => isNew(having({}, { labels: given }), word)

export const GUARDS = table`
  Forbidden metadata.labels[tars.io/ServerApp]: objects labelled tars.io/ServerApp are created from a TServer; create a TServer, or leave tars.io/ServerApp or tars.io/ServerName out (GW-1)
    a Service with both labels | ${created({})}
    a StatefulSet with both labels | ${workload('StatefulSet', 'statefulsets', aWorkload('StatefulSet'))}
    a DaemonSet with both labels | ${workload('DaemonSet', 'daemonsets')}
    a Service with both labels, and nothing in them | ${labels({ 'tars.io/ServerApp': '', 'tars.io/ServerName': '' })}
    10,000 labels | ${labels({ ...Object.fromEntries(many(10_000, (at) => [`l${at}`, 'x'])), ...OF_SERVER })}
    a name in unicode | ${created({}, { name: 'größe' })}
    both labels put on a Service without them | ${isChanged(having({}, { labels: {} }), service)}
    both labels put on a Service by way of its status | ${isChanged(having({}, { labels: {} }), service, { subResource: 'status' })}
    a name of 254 characters | ${created({}, { name: 'a'.repeat(254) })}
    a text for the spec | ${created({ spec: 'x' })}
    a spec of 100 levels | ${created({ spec: JSON.parse(lists(97)) })}
    ports −1, 65536, 1.5 and "80" | ${created({ spec: { ports: [{ port: -1 }, { port: 65_536 }, { port: 1.5 }, { port: '80' }] } })}
    a port of 1e400 | ${isNew(having({ spec: { ports: [{ port: '#' }] } }), '1e400')}
    200 managedFields and a forced server-side apply | ${isForced()}
  Forbidden {}: is managed by TServer demo/demo-run; change it there (GW-2)
    another selector for the Service of a server | ${isChanged(having({ spec: { selector: { 'tars.io/ServerApp': 'Demo', 'tars.io/ServerName': 'Run' } } }, { name: 'demo-run' }), running)} | spec.selector
    a text for its spec, which had none | ${isChanged(having({ spec: {} }, { name: 'demo-run' }), having({ spec: 'x' }, { name: 'demo-run' }))} | spec
  Forbidden metadata.ownerReferences: its controller, TServer demo/demo-echo, does not exist; take the reference away first, or leave the object to the garbage collector (GW-3)
    a change of a Service whose TServer is not there | ${isChanged(controlled, over(controlled, { spec: 7 }))}
  allowed
    a Service with one of the labels | ${labels({ 'tars.io/ServerApp': 'Demo' })}
    a Service with other labels | ${labels({ app: 'a' })}
    a Service with the labels in small letters | ${labels({ 'tars.io/serverapp': 'Demo', 'tars.io/servername': 'Echo' })}
    a Service with labels that look like a pointer | ${labels({ 'tars.io~1ServerApp': 'Demo', 'tars.io~1ServerName': 'Echo' })}
    labels null | ${labels(null)}
    no labels | ${labels(undefined)}
    a status-only update | ${isChanged(service, service, { subResource: 'status' })}
    an update of a Service with both labels | ${isChanged(service, having({ spec: 7 }))}
  allowed no handler for {}
    a deletion | ${isGone(service)} | DELETE of services v1 on /validating
    a Service that is to be mutated | ${isMade(service)} | CREATE of services v1 on /mutating
    a Deployment with both labels | ${workload('Deployment', 'deployments')} | CREATE of deployments v1 on /validating
  allowed {}: of another shape than this tars-admission knows, so the object is not checked (CV-8)
    labels that are numbers | ${labels({ 'tars.io/ServerApp': 1, 'tars.io/ServerName': 2 })} | metadata.labels[tars.io/ServerApp]
    labels that are null | ${labels({ 'tars.io/ServerApp': null, 'tars.io/ServerName': null })} | metadata.labels[tars.io/ServerApp]
    labels that are a list | ${labels(['tars.io/ServerApp'])} | metadata.labels
    labels that are a text | ${labels('tars.io/ServerApp')} | metadata.labels
    __proto__ for a label | ${labels('#', '{"__proto__":{"tars.io/ServerApp":"a","tars.io/ServerName":"b"}}')} | metadata.labels[__proto__]
    metadata null | ${isNew({ ...service, metadata: null })} | metadata
    an object without anything | ${isNew({})} | metadata
    no name yet, as with generateName | ${created({}, { name: undefined, generateName: 'demo-' })} | metadata.name
`
