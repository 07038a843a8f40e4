import { defineController, labelled, owned, type Watch } from '../../../kit/controller.ts'
import type { KubeObject } from '../../../kit/schema.ts'
import { CONFIG_MAP, NACOS_POD, NACOS_SERVICE, NACOS_STATEFULSET } from '../../kubernetes.ts'
import { FIXED_LABELS, LABELS } from '../../names.ts'
import { NACOS, type Nacos } from '../schema.ts'
import { sourcesOf } from '../shape.ts'
import { isMeant } from './changes.ts'
import { conclude } from './conclude.ts'
import { type Confirmation, confirmed } from './confirm.ts'
import { heldCounts } from './held-counts.ts'
import { HELD, SOURCES } from './indexes.ts'
import type { NacosMemory } from './memory.ts'
import { observe } from './observe.ts'
import { plan } from './plan.ts'
import type { NacosSeen } from './seen.ts'

const CHILD_LABELS = [LABELS.app, ...Object.keys(FIXED_LABELS)]
const CHILDREN = { carrying: CHILD_LABELS, asText: true } as const
const POD_FIELDS = [
  'metadata.ownerReferences',
  'metadata.deletionTimestamp',
  ...['type', 'status', 'reason'].map((field) => `status.conditions.${field}`),
  ...['initContainerStatuses', 'containerStatuses'].flatMap((list) => [
    `status.${list}.name`,
    `status.${list}.state.waiting.reason`,
  ]),
]
/** Pods of one member change many times until it is ready. */
const GATHER = { quietMs: 100, atMostMs: 1_000 }

export const nacosController = defineController<Nacos, NacosSeen, Confirmation, NacosMemory>({
  name: 'nacos',
  of: NACOS,
  keeps: { byField: [SOURCES, HELD] },
  isMeant,
  refersTo: (nacos) => {
    const { namespace = '' } = nacos.metadata
    return sourcesOf(nacos).map(({ name }) => ({ of: CONFIG_MAP, key: { namespace, name } }))
  },
  watches: [
    owned(NACOS_STATEFULSET, NACOS, CHILDREN),
    owned(NACOS_SERVICE, NACOS, CHILDREN),
    configMaps(),
    {
      ...labelled(NACOS_POD, ownerNameIn, { carrying: CHILD_LABELS, byLabels: [LABELS.app], fields: POD_FIELDS }),
      gather: GATHER,
    },
  ],
  reads: [NACOS_STATEFULSET, NACOS_SERVICE, NACOS, CONFIG_MAP].map((resource) => ({
    resource,
    asks: ['get'] as const,
  })),
  writes: [
    { resource: CONFIG_MAP, verbs: ['apply', 'remove'] },
    { resource: NACOS_STATEFULSET, verbs: ['apply'] },
    { resource: NACOS_SERVICE, verbs: ['apply'] },
    { resource: NACOS, subresource: 'status', verbs: ['merge'] },
    { resource: NACOS, verbs: ['own'] },
  ],
  observe,
  plan,
  perform: confirmed,
  counts: heldCounts,
  conclude,
})

function ownerNameIn(labels: Readonly<Record<string, string>>): string | undefined {
  const isMember = Object.entries(FIXED_LABELS).every(([label, value]) => labels[label] === value)
  return isMember ? labels[LABELS.app] : undefined
}

/** Of all ConfigMaps the metadata alone is kept (NC-WCH-12): sources wake those that name them, and a final its owner, but by what the owner wrote. */
function configMaps(): Watch {
  const generated = owned(CONFIG_MAP, NACOS)
  const keeps = { byLabels: [LABELS.configRole], fields: ['metadata.ownerReferences', 'metadata.deletionTimestamp'] }
  return {
    resource: CONFIG_MAP,
    keeps,
    exceptOwn: true,
    wakes(object: KubeObject, among) {
      const { namespace = '', name } = object.metadata
      return [...generated.wakes(object, among), ...among.referring({ of: CONFIG_MAP, key: { namespace, name } })]
    },
  }
}
