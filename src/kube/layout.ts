import { isTree, type Tree } from '../schema.ts'

/**
 * How the API server merges the fields of an object when it is applied. What is not listed is an atomic list, a map, or
 * a single value; in our own kinds every list is atomic.
 */
export interface Layout {
  /** A list whose items are found by these fields. */
  readonly keys?: readonly string[]
  /** A map, or a list, that has one owner. */
  readonly isAtomic?: true
  readonly isQuantity?: true
  /** An object that means something although it is empty. */
  readonly isKept?: true
  /** Of an object, or of each item of a list. */
  readonly fields?: Readonly<Record<string, Layout>>
  /** Of every value of a map. */
  readonly values?: Layout
}

/** The API server adds it to an item that lacks it, so that the item has a whole key. */
const DEFAULTS: Readonly<Record<string, string>> = { protocol: 'TCP' }

const ATOMIC: Layout = { isAtomic: true }
const QUANTITY: Layout = { isQuantity: true }
const RESOURCES: Layout = { fields: { limits: { values: QUANTITY }, requests: { values: QUANTITY } } }
const DIVISOR: Layout = { fields: { resourceFieldRef: { fields: { divisor: QUANTITY } } } }
const SELECTOR: Layout = { fields: { matchLabels: ATOMIC } }

const CONTAINER: Layout = {
  keys: ['name'],
  fields: {
    env: { keys: ['name'], fields: { valueFrom: DIVISOR } },
    volumeMounts: { keys: ['mountPath'] },
    ports: { keys: ['containerPort', 'protocol'] },
    resources: RESOURCES,
  },
}
const VOLUME: Layout = {
  keys: ['name'],
  fields: { emptyDir: { isKept: true, fields: { sizeLimit: QUANTITY } }, downwardAPI: { fields: { items: DIVISOR } } },
}
const AFFINITY_TERMS: Layout = {
  fields: { labelSelector: SELECTOR, podAffinityTerm: { fields: { labelSelector: SELECTOR } } },
}
const POD_AFFINITY: Layout = {
  fields: {
    requiredDuringSchedulingIgnoredDuringExecution: AFFINITY_TERMS,
    preferredDuringSchedulingIgnoredDuringExecution: AFFINITY_TERMS,
  },
}
const POD_SPEC: Layout = {
  fields: {
    containers: CONTAINER,
    initContainers: CONTAINER,
    volumes: VOLUME,
    imagePullSecrets: { keys: ['name'] },
    affinity: { fields: { podAffinity: POD_AFFINITY, podAntiAffinity: POD_AFFINITY } },
    nodeSelector: ATOMIC,
  },
}
const WORKLOAD_SPEC: Layout = {
  fields: {
    selector: SELECTOR,
    template: { fields: { spec: POD_SPEC } },
    volumeClaimTemplates: { fields: { spec: { fields: { resources: RESOURCES, selector: SELECTOR } } } },
  },
}
const SERVICE_SPEC: Layout = { fields: { selector: ATOMIC, ports: { keys: ['port', 'protocol'] } } }

const METADATA: Layout = { fields: { ownerReferences: { keys: ['uid'] } } }
const SPECS: Readonly<Record<string, Layout>> = {
  'v1 Service': SERVICE_SPEC,
  'v1 Pod': POD_SPEC,
  'apps/v1 StatefulSet': WORKLOAD_SPEC,
  'apps/v1 DaemonSet': WORKLOAD_SPEC,
}

export function layoutOf({ apiVersion, kind }: Tree): Layout {
  const spec = own(SPECS, `${apiVersion} ${kind}`)
  return { fields: { metadata: METADATA, ...(spec && { spec }) } }
}

export function layoutIn({ fields = {}, values }: Layout, name: string): Layout {
  return own(fields, name) ?? values ?? {}
}

/** The same text for items of a list that the API server merges with each other. */
export function identityOf(item: unknown, keys: readonly string[]): string {
  const fields = isTree(item) ? item : {}
  return JSON.stringify(keys.map((key) => (Object.hasOwn(fields, key) ? fields[key] : DEFAULTS[key])))
}

const own = (layouts: Readonly<Record<string, Layout>>, name: string) =>
  Object.hasOwn(layouts, name) ? layouts[name] : undefined
