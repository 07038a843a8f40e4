import { isLabelValue, LABEL_VALUE_LENGTH } from '../../../src/kube/labels.ts'
import { isTerminating } from '../../../src/kube/metadata.ts'
import type { Create, Finding, Findings, Rule, Update } from '../../kit/admission.ts'
import type { ClusterReader } from '../../kit/schema.ts'
import { ANNOTATIONS, FRAMEWORK_NAME, LABELS } from '../names.ts'
import { TFRAMEWORKCONFIG } from '../tframeworkconfig/schema.ts'
import { TTEMPLATE } from '../ttemplate/schema.ts'
import { illegalBounds } from './bounds.ts'
import { identityRules } from './identity.ts'
import { mountRules } from './mounts.ts'
import { portRules } from './ports.ts'
import type { TServer } from './schema.ts'
import { isTars, type Spec } from './shape.ts'

type ServerWrite = Create<TServer> | Update<TServer>

const TEMPLATE = 'spec.tars.template'
const LABEL_NAME_LENGTH = 63

/** The mutation that applies the bounds refuses with this rule too. */
export const LEGAL_BOUNDS: Rule<TServer> = {
  id: 'TS-V20',
  field: 'metadata.annotations[tars.io/MinReplicas], metadata.annotations[tars.io/MaxReplicas]',
  on: 'write',
  check: ({ next }) => illegalBounds(next),
  message: ({ value, by }) =>
    by ? `must not be greater than ${by.join()}, but ${value}` : `must be an integer 0..99, not "${value}"`,
  examples: [
    { path: 'metadata.annotations', value: '<value>' },
    { path: 'metadata.annotations', value: '<min> > <max>', by: [ANNOTATIONS.maxReplicas] },
  ],
  remedy: 'correct or remove the annotation',
}

/** The mutation that fills in nodeImage refuses with this rule too. */
export const NODE_IMAGE: Rule<TServer> = {
  id: 'TS-V21',
  field: 'spec.release.nodeImage',
  on: 'write',
  when: ({ next }) => isTars(next.spec) && next.spec.release !== undefined && !next.spec.release.nodeImage,
  check: missingNodeImage,
  message: ({ value }) => `not set and TFrameworkConfig ${value} has no nodeImage.image`,
  remedy: 'set it, or create that TFrameworkConfig first',
}

export const rules: readonly Rule<TServer>[] = [
  ...identityRules,
  ...portRules,
  ...mountRules,
  {
    id: 'TS-V15',
    field: 'spec.tars.template',
    on: 'write',
    refers: true,
    when: ({ next }) => isTars(next.spec),
    check: missingTemplate,
    message: ({ value }) => `TTemplate ${value} does not exist`,
    remedy: 'create it first, or name another',
  },
  LEGAL_BOUNDS,
  NODE_IMAGE,
  {
    id: 'TS-V24',
    field: 'spec.tars.template',
    on: 'write',
    when: ({ next }) => isTars(next.spec),
    check: ({ next: { spec } }) => (isLabelValue(spec.tars?.template ?? '') ? [] : templateNamed(spec)),
    message: () => `must be at most ${LABEL_VALUE_LENGTH} characters, to fit into label ${LABELS.template}`,
    remedy: 'give the template a shorter name',
  },
  {
    id: 'TS-V25',
    field: 'spec.k8s.abilityAffinity, metadata.name',
    on: 'write',
    check: ({ next, namespace }) => longKeys(next.spec, namespace),
    message: ({ value }) => `label key "${value}" is longer than ${LABEL_NAME_LENGTH} characters behind the /`,
    remedy: 'use shorter names, or None where it is the affinity that needs the key',
  },
  {
    id: 'MP-20f',
    field: 'spec.k8s.nodeSelector',
    on: 'write',
    effect: 'warn',
    when: ({ next, profile }) => profile === 'seed' && next.spec.k8s.daemonSet === true,
    check: ({ next }) => ignoredSelector(next.spec),
    message: () => 'has no effect when spec.k8s.daemonSet is true',
    remedy: 'remove it',
  },
]

const templateNamed = ({ tars }: Spec): Findings => [{ path: TEMPLATE, value: tars?.template ?? '' }]

async function missingTemplate({ next, namespace }: ServerWrite, cluster: ClusterReader): Promise<Findings> {
  const name = next.spec.tars?.template
  if (name === undefined) return [] // TS-V5 refuses it
  const template = await cluster.get(TTEMPLATE, { namespace, name })
  return template === undefined || isTerminating(template) ? [{ path: TEMPLATE, value: `${namespace}/${name}` }] : []
}

async function missingNodeImage({ namespace }: ServerWrite, cluster: ClusterReader): Promise<Findings> {
  const config = await cluster.get(TFRAMEWORKCONFIG, { namespace, name: FRAMEWORK_NAME })
  const path = 'spec.release.nodeImage'
  return config?.nodeImage?.image ? [] : [{ path, value: `${namespace}/${FRAMEWORK_NAME}` }]
}

/** The node affinity of the pods uses these label keys, and the API server refuses a longer key in a selector. */
function longKeys(spec: Spec, namespace: string): Findings {
  const ability = longestAbility(spec)
  const ofAbility = ability === undefined ? [] : tooLong('spec.k8s.abilityAffinity', `ability.${namespace}.${ability}`)
  return [...tooLong('metadata.namespace', `node.${namespace}`), ...ofAbility]
}

function longestAbility({ app, server, k8s }: Spec): string | undefined {
  const { daemonSet = false, abilityAffinity } = k8s
  if (daemonSet || abilityAffinity === 'None') return undefined
  return abilityAffinity === 'AppRequired' ? app : `${app}-${server}`
}

function tooLong(path: string, name: string): Findings {
  return name.length > LABEL_NAME_LENGTH ? [{ path, value: `tars.io/${name}` }] : []
}

/** The value lists the label keys, so that a changed selector is reported again. */
function ignoredSelector({ k8s: { nodeSelector = [] } }: Spec): readonly Finding[] {
  if (nodeSelector.length === 0) return []
  return [{ path: 'spec.k8s.nodeSelector', value: nodeSelector.map(({ key }) => key).join() }]
}
