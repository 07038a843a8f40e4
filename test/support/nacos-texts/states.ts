import type { Built } from '../../../src/cluster/port.ts'
import type { Tree } from '../../../src/schema.ts'

/** A Nacos whose status says something as soon as it is made. */
export interface StateText {
  readonly nacos: Built
  /** What is made before it. */
  readonly beside: readonly Built[]
  /** The messages of some of its conditions, by their types. */
  readonly conditions: Words
  /** `Reason: message` */
  readonly events: readonly string[]
}

type Words = Readonly<Record<string, string>>
type Owner = 'internal' | 'user'
const sourceOf = (owner: Owner, of: string, text: string, rest: Tree = {}, annotations: Words = {}): Built => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `${of}-${owner}`, annotations },
  ...{ data: { [`${owner}.properties`]: text }, ...rest },
})
const nacosOf = (name: string, spec: Tree = {}, annotations: Words = {}): Built => ({
  apiVersion: 'nacos.io/v1alpha1',
  kind: 'Nacos',
  metadata: { name, annotations },
  spec: {
    type: 'cluster',
    image: 'nacos/nacos-server:v2.4.3',
    replicas: 3,
    userConfigRef: { name: `${name}-user` },
    internalConfigRef: { name: `${name}-internal` },
    ...spec,
  },
})

const NO_PODS = 'no pods are made before the configuration is there'
interface Sources {
  readonly internal?: Built
  readonly user?: readonly Built[]
}
/** With one good source, and one that is not. */
function held(name: string, reason: string, message: string, { internal, user = [] }: Sources): StateText {
  return {
    nacos: nacosOf(name),
    beside: [internal ?? sourceOf('internal', name, 'a=1'), ...user],
    conditions: { ConfigReady: message, RolloutComplete: NO_PODS, Ready: '0 of 3 members are ready' },
    events: [`ConfigHeld: ${reason}: ${message}`],
  }
}

function malformed(name: string, text: string, message: string): StateText {
  const words = `ConfigMap "${name}-user" key "user.properties" line ${message}`
  return held(name, 'MalformedProperties', words, { user: [sourceOf('user', name, text)] })
}

const HELD: readonly StateText[] = [
  held('missing', 'SourceMissing', 'ConfigMap "missing-user" does not exist', {}),
  held('keyless', 'KeyMissing', 'ConfigMap "keyless-user" has no key "user.properties"; it has a, b', {
    user: [sourceOf('user', 'keyless', '', { data: { b: '', a: '' } })],
  }),
  held(
    'binary',
    'KeyIsBinary',
    'ConfigMap "binary-user" key "user.properties" is in binaryData, since its file is no UTF-8; save it as UTF-8 or ASCII',
    { user: [sourceOf('user', 'binary', '', { data: {}, binaryData: { 'user.properties': '/w==' } })] },
  ),
  malformed('escape', 'a=1\nb=\\u12', '2: malformed \\uxxxx escape'),
  malformed('nameless', '=v', '1: empty key'),
  held(
    'guarded',
    'ProtectedKey',
    'ConfigMap "guarded-user" key "user.properties" line 1: key "b" is protected by ConfigMap "guarded-internal" and cannot be set here',
    {
      internal: sourceOf('internal', 'guarded', 'a=1', {}, { 'nacos.io/protected-keys': 'b' }),
      user: [sourceOf('user', 'guarded', 'b=2')],
    },
  ),
  held('empty', 'EmptyConfig', 'the sources set no property at all', {
    internal: sourceOf('internal', 'empty', '# a\n'),
    user: [sourceOf('user', 'empty', '')],
  }),
  held('large', 'TooLarge', 'the merged configuration has 1000078 bytes, at most 1000000 are allowed', {
    user: [sourceOf('user', 'large', `b=${'x'.repeat(1_000_000)}`)],
  }),
]

const both = (name: string) => [sourceOf('internal', name, 'a=1'), sourceOf('user', name, 'b=2')]
const ADOPTS = { 'nacos.io/adopt-final-config': 'true' }

/** What stands under the name of the final ConfigMap. */
function standing(name: string, reason: string, message: string, rest: Tree, annotations: Words = {}): StateText {
  const { metadata = {}, ...others } = rest
  const final = { metadata: { name: `${name}-final`, ...Object(metadata) }, data: { a: '1' }, ...others }
  return {
    nacos: nacosOf(name, { finalConfigName: `${name}-final` }, annotations),
    beside: [...both(name), { apiVersion: 'v1', kind: 'ConfigMap', ...final }],
    conditions: { ConfigReady: message, RolloutComplete: NO_PODS },
    events: [`${reason === 'FinalConfigConflict' ? reason : 'ConfigHeld'}: ${reason}: ${message}`],
  }
}

const BY_ANOTHER = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'another', uid: 'another-uid', controller: true }]
const EARLIER = [{ apiVersion: 'nacos.io/v1alpha1', kind: 'Nacos', name: 'again', uid: 'first', controller: true }]

const FINALS: readonly StateText[] = [
  standing(
    'loose',
    'FinalConfigConflict',
    'ConfigMap "loose-final" was not made for this Nacos: set another finalConfigName, or the annotation nacos.io/adopt-final-config: "true"',
    {},
  ),
  standing(
    'fixed',
    'FinalConfigImmutable',
    'ConfigMap "fixed-final" is immutable: set another finalConfigName',
    { immutable: true },
    ADOPTS,
  ),
  {
    nacos: nacosOf('circle', { finalConfigName: 'circle-user' }),
    beside: both('circle'),
    conditions: { ConfigReady: 'ConfigMap "circle-user" is a source: set another finalConfigName' },
    events: ['ConfigHeld: FinalConfigIsSource: ConfigMap "circle-user" is a source: set another finalConfigName'],
  },
]

const LONG_NAME = `wrong-${'x'.repeat(47)}`
function wrong(name: string, spec: Tree, message: string): StateText {
  return {
    nacos: nacosOf(name, spec),
    beside: both(name),
    conditions: { SpecValid: message, Ready: 'see SpecValid' },
    events: [],
  }
}
const WRONG: readonly StateText[] = [
  wrong(
    LONG_NAME,
    { type: 'other', finalConfigName: '-', volume: { persistentVolumeSize: '10 GB' } },
    [
      'metadata.name: must be a DNS-1035 label of at most 52 characters (it names a StatefulSet, Services and a container); take lower-case letters, digits and hyphens, a letter first (NC-ADM-10)',
      'spec.finalConfigName: invalid ConfigMap name "-"; name a ConfigMap of this namespace and a key in its data, or leave the field out (NC-ADM-15)',
      'spec.type: must be "standalone" or "cluster", got "other"; write one of the two (NC-ADM-11)',
      'spec.volume.persistentVolumeSize: "10 GB" is no quantity; correct it, or leave it out (NC-ADM-22)',
    ].join('; '),
  ),
  wrong('none', { replicas: 0 }, 'spec.replicas: must be at least 1; write 1, or 3 and type cluster (NC-ADM-12)'),
  wrong(
    'crowd',
    { replicas: 1_001 },
    'spec.replicas: must be at most 1000; write 1, or 3 and type cluster (NC-ADM-12)',
  ),
  wrong(
    'pair',
    { type: 'standalone', replicas: 2 },
    'spec.replicas: must be 1 when type is standalone; write 1, or 3 and type cluster (NC-ADM-12)',
  ),
  wrong(
    'mixed',
    { k8sWrapper: { PodSpec: { volumes: ['x'] } } },
    'spec.k8sWrapper.PodSpec: cannot be merged: spec.volumes: has elements of several types; correct the overlay, or take that part of it away (NC-ADM-19)',
  ),
]

const OTHERS: readonly StateText[] = [
  {
    nacos: nacosOf('taken'),
    beside: [
      ...both('taken'),
      {
        ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'taken-client' } },
        spec: { ports: [{ port: 1 }] },
      },
    ],
    conditions: { ChildrenReady: 'Service taken-client: not made for this Nacos, and left as it is' },
    events: ['ChildConflict: Service taken-client: left as it is, since this Nacos does not control it'],
  },
  {
    nacos: nacosOf('quiet', {}, { 'nacos.io/reconcile-paused': 'true' }),
    beside: both('quiet'),
    conditions: { Paused: 'nothing but the status is written' },
    events: [],
  },
  {
    nacos: nacosOf('pattern'),
    beside: [
      sourceOf('internal', 'pattern', 'a=1', {}, { 'nacos.io/protected-keys': 'a*b' }),
      sourceOf('user', 'pattern', 'b=2'),
    ],
    conditions: {},
    events: [
      'InvalidPattern: protected keys: "a*b" is no key and no beginning of keys with a *',
      'ConfigMerged: ConfigMap pattern-final-config has 79 bytes with digest 15952a176aa40df0',
    ],
  },
]

/** On a real API server as in memory. */
export const STATE_TEXTS: readonly StateText[] = [...HELD, ...FINALS, ...WRONG, ...OTHERS]
/** Of which a real garbage collector leaves nothing to look at. */
export const BRIEF_STATES: readonly StateText[] = [
  standing(
    'theirs',
    'FinalConfigConflict',
    'ConfigMap "theirs-final" belongs to another object: set another finalConfigName',
    { metadata: { ownerReferences: BY_ANOTHER } },
  ),
  standing(
    'again',
    'FinalConfigConflict',
    'ConfigMap "again-final" belongs to an earlier Nacos of this name and is removed with it',
    { metadata: { ownerReferences: EARLIER } },
  ),
]
