import type { Built } from '../../../kit/controller.ts'
import type { Found, KubeObject, Settings } from '../../../kit/schema.ts'
import type { Nacos } from '../schema.ts'
import { CLIENT_SERVICE_TYPE } from '../settings.ts'
import { childNamesOf } from '../shape.ts'
import { childMetadata, copied, fixedLabelsOf } from './metadata.ts'
import { textIn, treeIn } from './parts.ts'

const port = (name: string, number: number) => ({ name, port: number, protocol: 'TCP' })
const CLIENT = port('client', 8848)
const PEER_PORTS = [CLIENT, port('rpc', 7848), port('new-rpc', 9848)]
const CLIENT_PORTS = [CLIENT, port('rpc', 9848)]

/** The Service by which members find each other: headless in a cluster (NC-SVC-01), with an address for one server (NC-SVC-06). */
export function peerServiceFor(nacos: Nacos, live?: Found<KubeObject>): Built {
  const [name = '', headless = ''] = childNamesOf(nacos.metadata.name)
  if (nacos.spec?.type !== 'cluster')
    return serviceFor(nacos, name, { ...lasting(live, { type: 'ClusterIP' }), ports: PEER_PORTS })
  const fixed = { clusterIP: 'None', publishNotReadyAddresses: true }
  return serviceFor(nacos, headless, {
    ...fixed,
    ...lasting(live, {}),
    ports: [...PEER_PORTS, port('cluster-rpc', 9849)],
  })
}

/** NC-SVC-02 to NC-SVC-04: a member gets no clients before it is ready. */
export function clientServiceFor(nacos: Nacos, settings: Settings, live?: Found<KubeObject>): Built {
  const [, , client = ''] = childNamesOf(nacos.metadata.name)
  const { publishNotReadyAddresses } = specOf(live)
  const kept = publishNotReadyAddresses === true ? { publishNotReadyAddresses } : {}
  const spec = { ...lasting(live, { type: settings.get(CLIENT_SERVICE_TYPE) }), ...kept, ports: CLIENT_PORTS }
  return serviceFor(nacos, client, spec)
}

/** What counts at creation: later it is sent back as it stands, since an apply without it would take it away (NC-SVC-08). */
function lasting(live: Found<KubeObject> | undefined, { type }: { readonly type?: string }) {
  const { type: liveType, ipFamilyPolicy } = specOf(live)
  const wanted = live === undefined ? type : textIn(liveType) || type
  const policy = live === undefined ? 'SingleStack' : textIn(ipFamilyPolicy)
  return { ...(type !== undefined && { type: wanted }), ...(policy && { ipFamilyPolicy: policy }) }
}

/** It selects by the fixed labels alone, which old and new pods have (NC-STS-12). */
function serviceFor(nacos: Nacos, name: string, spec: object): Built {
  const annotations = copied(nacos.metadata.annotations)
  const metadata = childMetadata(nacos, name, { annotations })
  return { apiVersion: 'v1', kind: 'Service', metadata, spec: { ...spec, selector: fixedLabelsOf(nacos) } }
}

const specOf = (service: unknown) => treeIn(treeIn(service).spec)
