import type { Tree } from '../../../src/schema.ts'
import { TSERVER } from '../../../webhooks/tars/tserver/schema.ts'
import { aMount, aRelease, aServant, aTServer } from '../../support/builders/servers.ts'
import { MUTATING } from '../../support/desk.ts'
import { withRequest } from '../../support/reviews.ts'
import {
  allowed,
  asking,
  bare,
  bomb,
  entriesOf,
  type Group,
  invalid,
  MANAGED,
  many,
  mutated,
  over,
  patched,
  raw,
  reworded,
  table,
  validated,
} from './entry.ts'

const server = aTServer()
const { creationOf, updateOf, having, isNew, isMade, isChanged, isRemade, created, made, isForced } = asking(
  TSERVER,
  server,
)
/** With these fields of spec.k8s, of its one servant, of its release. */
const k8s = (fields: Tree) => aTServer({ k8s: fields })
const servant = (fields: object) => aTServer({ servants: [aServant(fields)] })
const released = (fields: object) => aTServer({ release: aRelease(fields) })
const spec = (fields: Tree) => aTServer({ spec: fields })
const bounded = (min: unknown, max: unknown = '9') =>
  over(released({}), {}, { annotations: { 'tars.io/MinReplicas': min, 'tars.io/MaxReplicas': max } })
const env = (fields: object) => k8s({ env: [{ name: 'A', ...fields }] })
const mount = (fields: Tree) => k8s({ mounts: [aMount(fields)] })
const exposed = (...hostPorts: readonly [string, number][]) =>
  k8s({ hostPorts: hostPorts.map(([nameRef, port]) => ({ nameRef, port })) })
const limited = (cpu: unknown) => k8s({ resources: { limits: { cpu } } })
const going = aTServer({ going: true })
const LONG = aTServer({ template: 'a'.repeat(64), labels: {} })
const DIGITS = `${'1'.repeat(200_000)}!`
const MANY_SERVANTS = aTServer({ servants: many(10_000, (at) => aServant({ name: `S${at}`, port: at + 1 })) })
const MANY_VARIABLES = k8s({ env: many(100_000, (at) => ({ name: `V${at}`, value: 'x' })) })

const REST: readonly Group[] = [
  allowed({ 'a number for the app, to be mutated': isMade(spec({ app: 7 })) }, bare('spec.app')),
  patched(
    {
      'an app in unicode, to be mutated': isMade(spec({ app: 'Größe' })),
      'an app of 254 characters, to be mutated': isMade(spec({ app: 'a'.repeat(254) })),
    },
    [{ op: 'remove', path: '/metadata/labels/tars.io~1ServerApp' }],
  ),
  patched(
    {
      'no spec, to be mutated': isMade(over(server, { spec: undefined })),
      'an empty spec, to be mutated': isMade(over(server, { spec: {} })),
    },
    ['ServerApp', 'ServerName', 'SubType', 'Template'].map((name) => ({
      op: 'remove',
      path: `/metadata/labels/tars.io~1${name}`,
    })),
  ),
  patched(
    {
      'a template that fits into no label, of a server that carries another, to be mutated': mutated(
        updateOf(LONG, over(aTServer(), { spec: LONG.spec })),
      ),
    },
    [{ op: 'remove', path: '/metadata/labels/tars.io~1Template' }],
  ),
  patched({ 'a subType that there is not, to be mutated': isMade(spec({ subType: 'golang' })) }, [
    { op: 'add', path: '/metadata/labels/tars.io~1SubType', value: 'golang' },
  ]),
  invalid(
    'spec.normal: only allowed when spec.subType is "normal"; give the block that spec.subType names, and not the other (TS-V5)',
    { 'both tars and normal': isNew(spec({ normal: { ports: [] } })) },
  ),
  invalid(
    'spec.tars: required when spec.subType is "tars"; give the block that spec.subType names, and not the other (TS-V5)',
    { 'neither tars nor normal': isNew(spec({ tars: undefined })) },
  ),
  invalid(
    'spec.k8s.hostPorts[0].nameRef: no servant or port named "nobody"; name one of spec.tars.servants, spec.tars.ports or spec.normal.ports (TS-V16)',
    { 'a port of the node that leads nowhere': isNew(k8s({ hostPorts: [{ nameRef: 'nobody', port: 80 }] })) },
  ),
  invalid(
    'spec.k8s.hostPorts[1].nameRef: "ECHOOBJ" duplicates hostPorts[0] (compared without case); keep one of them (TS-V18)',
    {
      'two ports of the node to one servant': isNew(
        k8s({
          hostPorts: [
            { nameRef: 'EchoObj', port: 80 },
            { nameRef: 'ECHOOBJ', port: 81 },
          ],
        }),
      ),
    },
  ),
  invalid(
    'metadata.name: must be at most 58 characters; shorten spec.app or spec.server (TS-V7); spec.k8s.abilityAffinity: label key "tars.io/ability.demo.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA-Echo" is longer than 63 characters behind the /; use shorter names, or None where it is the affinity that needs the key (TS-V25)\nmetadata.name: over 52 characters, so no pods can be created; shorten app or server (TS-W1)',
    { 'an app of 63 characters': isNew(aTServer({ app: 'A'.repeat(63) })) },
  ),
  invalid('metadata.name: must be "demo-echo" for app "Demo" and server "Echo"; use that name (TS-V6)', {
    'a name in unicode': isNew(aTServer({ name: 'größe' })),
    'a name in capitals': isNew(aTServer({ name: 'Demo-Echo' })),
    'a name with a dot behind': isNew(aTServer({ name: 'demo-echo.' })),
  }),
  invalid(
    'metadata.name: must be "demo-echo" for app "Demo" and server "Echo"; use that name (TS-V6); metadata.name: must be at most 58 characters; shorten spec.app or spec.server (TS-V7)\nmetadata.name: over 52 characters, so no pods can be created; shorten app or server (TS-W1)',
    { 'a name of 254 characters': isNew(aTServer({ name: 'a'.repeat(254) })) },
  ),
  invalid(
    'spec.tars.servants[1].name: "ECHOOBJ" duplicates servants[0] (compared without case); give each a name of its own (TS-V8)',
    {
      'two servants, of which one is in capitals': isNew(
        aTServer({ servants: [aServant(), aServant({ name: 'ECHOOBJ', port: 10_001 })] }),
      ),
    },
  ),
  invalid(
    'spec.tars.servants[0].name: "nodeobj" is reserved for the node agent; take another name (TS-V10); spec.tars.servants[0].port: 19385 is reserved for tarsnode; take another port (TS-V11)',
    { 'the servant of the node agent': isNew(servant({ name: 'nodeobj', port: 19385 })) },
  ),
  invalid('spec.tars.template: TTemplate demo/nowhere does not exist; create it first, or name another (TS-V15)', {
    'another template of an object being deleted': validated(
      updateOf(aTServer({ going: true }), aTServer({ template: 'nowhere', going: true })),
    ),
    'a template that there is not': isNew(aTServer({ template: 'nowhere' })),
  }),
  patched(
    { 'a template of 254 characters, to be mutated': isMade(aTServer({ template: 'a'.repeat(254), labels: {} })) },
    [
      { op: 'add', path: '/metadata/labels/tars.io~1ServerApp', value: 'Demo' },
      { op: 'add', path: '/metadata/labels/tars.io~1ServerName', value: 'Echo' },
      { op: 'add', path: '/metadata/labels/tars.io~1SubType', value: 'tars' },
    ],
  ),
  patched({ 'labels null, to be mutated': isMade(over(server, {}, { labels: null })) }, [
    {
      op: 'add',
      path: '/metadata/labels',
      value: {
        'tars.io/ServerApp': 'Demo',
        'tars.io/ServerName': 'Echo',
        'tars.io/SubType': 'tars',
        'tars.io/Template': 'base',
      },
    },
  ]),
  patched(
    {
      'keys with / and ~, to be mutated': isMade(over(server, {}, { labels: { 'a/b~c': 'x', '~1': 'y', '~0': 'z' } })),
      '__proto__ for a label, to be mutated': raw(
        JSON.stringify(creationOf(over(server, {}, { labels: {} }))).replace('"labels":{', '"labels":{"__proto__":"x"'),
        MUTATING,
      ),
      'an update of what fits no schema, to be mutated': mutated(
        updateOf(spec({ app: 7 }), over(server, {}, { labels: {} })),
      ),
    },
    [
      { op: 'add', path: '/metadata/labels/tars.io~1ServerApp', value: 'Demo' },
      { op: 'add', path: '/metadata/labels/tars.io~1ServerName', value: 'Echo' },
      { op: 'add', path: '/metadata/labels/tars.io~1SubType', value: 'tars' },
      { op: 'add', path: '/metadata/labels/tars.io~1Template', value: 'base' },
    ],
  ),
  patched(
    {
      'a key with / and ~ beside a label that goes, to be mutated': isMade(
        over(server, {}, { labels: { ...server.metadata.labels, 'tars.io/ServerID': 'r1', 'tars.io~1ServerID': 'x' } }),
      ),
    },
    [{ op: 'remove', path: '/metadata/labels/tars.io~1ServerID' }],
  ),
  invalid(
    'metadata.annotations[tars.io/MinReplicas]: must be an integer 0..99, not ""; correct or remove the annotation (TS-V20)',
    { 'bounds of an empty text': isNew(bounded('')), 'bounds of an empty text, to be mutated': isMade(bounded('')) },
  ),
  invalid(
    'metadata.annotations[tars.io/MinReplicas]: must be an integer 0..99, not "01"; correct or remove the annotation (TS-V20)',
    { 'bounds of 01': isNew(bounded('01')) },
  ),
  invalid(
    'metadata.annotations[tars.io/MinReplicas]: must be an integer 0..99, not "-1"; correct or remove the annotation (TS-V20)',
    { 'bounds of −1': isNew(bounded('-1')) },
  ),
  invalid(
    'metadata.annotations[tars.io/MinReplicas]: must be an integer 0..99, not "1.5"; correct or remove the annotation (TS-V20)',
    { 'bounds of 1.5': isNew(bounded('1.5')) },
  ),
  invalid(
    'metadata.annotations[tars.io/MinReplicas]: must be an integer 0..99, not "1e1"; correct or remove the annotation (TS-V20)',
    { 'bounds of 1e1': isNew(bounded('1e1')) },
  ),
  invalid(
    'metadata.annotations[tars.io/MinReplicas]: must be an integer 0..99, not "0x1"; correct or remove the annotation (TS-V20)',
    { 'bounds of 0x1': isNew(bounded('0x1')) },
  ),
  invalid(
    'metadata.annotations[tars.io/MaxReplicas]: must be an integer 0..99, not "100"; correct or remove the annotation (TS-V20)',
    { 'bounds of 100': isNew(bounded('1', '100')) },
  ),
  invalid(
    'metadata.annotations[tars.io/MinReplicas]: must be an integer 0..99, not " 1"; correct or remove the annotation (TS-V20)',
    { 'bounds with a space': isNew(bounded(' 1')) },
  ),
  invalid(
    'metadata.annotations[tars.io/MinReplicas]: must be an integer 0..99, not "1\n"; correct or remove the annotation (TS-V20)',
    { 'bounds with a line break': isNew(bounded('1\n')) },
  ),
  invalid(
    'metadata.annotations[tars.io/MinReplicas]: must be an integer 0..99, not "٣"; correct or remove the annotation (TS-V20)',
    { 'bounds in the digits of another script': isNew(bounded('٣')) },
  ),
  invalid(
    'metadata.annotations[tars.io/MinReplicas]: must be an integer 0..99, not "NaN"; correct or remove the annotation (TS-V20)',
    { 'bounds of NaN': isNew(bounded('NaN')) },
  ),
  invalid(
    'metadata.annotations[tars.io/MinReplicas]: must be an integer 0..99, not "999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999 … 99999999999999999999999999999999999999999999999999999999"; correct or remove the annotation (TS-V20) (2046 characters)',
    {
      'bounds of 256 KiB': isNew(bounded('9'.repeat(262_144))),
      'bounds of 256 KiB, to be mutated': isMade(bounded('9'.repeat(262_144))),
    },
  ),
  invalid(
    'metadata.annotations[tars.io/MinReplicas]: must not be greater than tars.io/MaxReplicas, but 5 > 4; correct or remove the annotation (TS-V20)',
    {
      'bounds that contradict each other': isNew(bounded('5', '4')),
      'bounds that contradict each other, to be mutated': isMade(bounded('5', '4')),
    },
  ),
  allowed(
    { 'bounds that were there before, to be mutated': mutated(updateOf(bounded('x', '4'), bounded('x', '4'))) },
    'metadata.annotations[tars.io/MinReplicas]: must be an integer 0..99, not "x"; ignored (TS-M10)',
  ),
  patched({ 'a release without anything, to be mutated': isMade(aTServer({ release: {} })) }, [
    { op: 'add', path: '/spec/release/time', value: '<now>' },
    { op: 'add', path: '/spec/release/nodeImage', value: 'tarscloud/tars.tarsnode:v1' },
  ]),
  invalid(
    'spec.release.nodeImage: not set and TFrameworkConfig prod/tars-framework has no nodeImage.image; set it, or create that TFrameworkConfig first (TS-V21)',
    {
      'a release without anything where no framework is, to be mutated': mutated(
        withRequest(creationOf(aTServer({ release: {} })), { namespace: 'prod' }),
      ),
    },
  ),
  invalid(
    'spec.k8s.mounts[1].mountPath: /xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx … by mounts[0]; give each mount a path of its own, and one of subPath and subPathExpr at most (TS-V23) (2033 characters)',
    {
      'a mount with a path of 100 KB, twice': isNew(
        k8s({ mounts: many(2, (at) => aMount({ name: `m${at}`, mountPath: `/${'x'.repeat(100_000)}` })) }),
      ),
    },
  ),
  allowed(
    { 'a status-only update': validated(updateOf(server, server, { subResource: 'status' })) },
    'no handler for UPDATE of tservers/status v1beta2 on /validating',
  ),
  invalid('metadata.name: must be "a-echo" for app "A" and server "Echo"; use that name (TS-V6)', {
    'a deletionTimestamp by hand': isNew(over(spec({ app: 'A' }), {}, { deletionTimestamp: 'soon' })),
  }),
  invalid(
    'spec.app: field is immutable; create another TServer instead (TS-V1); spec.server: field is immutable; create another TServer instead (TS-V2); spec.subType: field is immutable; create another TServer instead (TS-V3); spec.tars: block cannot be removed; create another TServer instead (TS-V4); spec.normal: block cannot be added to a tars server; create another TServer instead (TS-V4)',
    {
      'an update of app, server and subType at once': validated(
        updateOf(server, over(aTServer({ app: 'B', server: 'C', normal: [] }), {}, { name: 'demo-echo' })),
      ),
    },
  ),
  allowed(
    { 'unknown fields': isNew(over(spec({ more: { a: [1] } }), { more: 1 })) },
    'more: a field that this tars-admission does not know, so no rule looks at it (CV-8)\nspec.more: a field that this tars-admission does not know, so no rule looks at it (CV-8)',
  ),
  invalid(
    'spec.tars: only allowed when spec.subType is "tars"; give the block that spec.subType names, and not the other (TS-V5)',
    { 'a subType that there is not': isNew(spec({ subType: 'golang' })) },
  ),
  invalid('metadata.name: must be "größe-echo" for app "Größe" and server "Echo"; use that name (TS-V6)', {
    'an app in unicode': isNew(spec({ app: 'Größe' })),
  }),
  invalid(
    'metadata.name: must be "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa … acters behind the /; use shorter names, or None where it is the affinity that needs the key (TS-V25) (1033 characters)',
    { 'an app of 254 characters': isNew(spec({ app: 'a'.repeat(254) })) },
  ),
  invalid('metadata.name: must be "demo.-echo" for app "Demo." and server "Echo"; use that name (TS-V6)', {
    'an app with a dot behind': isNew(spec({ app: 'Demo.' })),
  }),
  invalid('metadata.name: must be "demo\n-echo" for app "Demo\n" and server "Echo"; use that name (TS-V6)', {
    'an app with a line break behind': isNew(spec({ app: 'Demo\n' })),
  }),
  invalid(
    'spec.tars.template: TTemplate demo/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa does not exist; create it first, or name another (TS-V15); spec.tars.template: must be at most 63 characters, to fit into label tars.io/Template; give the template a shorter name (TS-V24)',
    { 'a template of 254 characters': isNew(aTServer({ template: 'a'.repeat(254) })) },
  ),
  invalid(
    'spec.tars.template: TTemplate demo/base. does not exist; create it first, or name another (TS-V15); spec.tars.template: must be at most 63 characters, to fit into label tars.io/Template; give the template a shorter name (TS-V24)',
    { 'a template with a dot behind': isNew(aTServer({ template: 'base.' })) },
  ),
  allowed(
    { 'bounds of a number': isNew(bounded(1)) },
    'metadata.annotations.tars.io/MinReplicas: of another shape than this tars-admission knows, so the object is not … (CV-8)',
  ),
  invalid(
    'metadata.name: must be "a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a- … acters behind the /; use shorter names, or None where it is the affinity that needs the key (TS-V25) (4049 characters)',
    { 'a regex bomb for the app': isNew(spec({ app: bomb() })) },
  ),
  invalid(
    'spec.tars.template: TTemplate demo/a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a … at most 63 characters, to fit into label tars.io/Template; give the template a shorter name (TS-V24) (2153 characters)',
    { 'a regex bomb for the template': isNew(aTServer({ template: bomb() })) },
  ),
  invalid(
    'spec.k8s.hostPorts[0].nameRef: no servant or port named "a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a … -a-a-a-a-a-a-a-a-a-!"; name one of spec.tars.servants, spec.tars.ports or spec.normal.ports (TS-V16) (2034 characters)',
    { 'a regex bomb for a port of the node': isNew(k8s({ hostPorts: [{ nameRef: bomb(), port: 80 }] })) },
  ),
  invalid(
    'spec.k8s.mounts[0].name: "a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a- … -a-a-a-!" must be a lower-case DNS label; take another name, of small letters, digits and - (TS-V22) (2028 characters)',
    { 'a regex bomb for a mount': isNew(mount({ name: bomb() })) },
  ),
  invalid(
    'spec.tars.servants[1].name: "EchoObj" duplicates servants[0] (compared without case); give each a name of its own (TS-V8); spec.tars.servants[2].name: "EchoObj" duplicates servants[0] (compared withou … s[38].port: there are more, of which this is the first; mend those before it, then try again (TS-V9) (11648 characters)',
    { '64 servants of one name and port': isNew(aTServer({ servants: many(64, () => aServant()) })) },
  ),
]

export const TSERVERS = [
  ...entriesOf(REST),
  ...table`
  allowed
    a server with nothing wrong | ${isNew(server)}
    a mount with 100 KB of slashes in its path | ${isNew(mount({ mountPath: `${'/'.repeat(100_000)}!` }))}
    10,000 servants, to be mutated | ${isMade(MANY_SERVANTS)}
    100,000 variables | ${isNew(MANY_VARIABLES)}
    100,000 variables, to be mutated | ${isMade(MANY_VARIABLES)}
    one variable twice | ${isNew(k8s({ env: ['1', '2'].map((value) => ({ name: 'A', value })) }))}
    a text for the spec, to be mutated | ${made({ spec: 'x' })}
    a list for spec.k8s, to be mutated | ${isMade(spec({ k8s: [] }))}
    null for spec.tars, to be mutated | ${isMade(spec({ tars: null }))}
    port 80.0 | ${isNew(servant({ port: '#' }), '80.0')}
    port 65536, to be mutated | ${isMade(servant({ port: 65_536 }))}
    port "80", to be mutated | ${isMade(servant({ port: '80' }))}
    replicas of 1e400, to be mutated | ${isMade(k8s({ replicas: '#' }), '1e400')}
    replicas of 1e9, to be mutated | ${isMade(aTServer({ release: aRelease(), k8s: { replicas: 1e9 } }))}
    replicas of −1, to be mutated | ${isMade(aTServer({ release: aRelease(), k8s: { replicas: -1 } }))}
    replicas of null, to be mutated | ${isMade(k8s({ replicas: null }))}
    a name to be generated, to be mutated | ${made({}, { name: '', generateName: 'demo-' })}
    labels that are numbers, to be mutated | ${made({}, { labels: { a: 1 } })}
    spec that stands twice, of which the last counts | ${reworded(creationOf(server), '"spec":{', '"spec":{"app":7},"spec":{')}
    a status of another type, to be mutated | ${isMade({ ...server, status: { replicas: 'x' } })}
    bounds of a number, to be mutated | ${isMade(bounded(1))}
    bounds of null, to be mutated | ${isMade(bounded(null))}
    an annotation of 256 KiB | ${created({}, { annotations: { a: 'x'.repeat(262_144) } })}
    a release that is null, to be mutated | ${isMade(spec({ release: null }))}
    released at an empty text, to be mutated | ${isMade(released({ time: '' }))}
    released at null, to be mutated | ${isMade(released({ time: null }))}
    a quantity of "1e400" | ${isNew(limited('1e400'))}
    a mount with NUL in its path | ${isNew(mount({ mountPath: '/\0' }))}
    CRLF, NUL and lone surrogates in the profile | ${isNew(spec({ tars: { template: 'base', servants: [aServant()], profile: '#' } }), '"a\\r\\nb\\u0000\\ud800c"')}
    200 managedFields | ${created({}, { managedFields: MANAGED })}
    options of a forced server-side apply, to be mutated | ${isForced(MUTATING)}
    an object being deleted, whatever becomes of its finalizers | ${isChanged(going, having({ status: 7 }, { finalizers: [7] }))}
    the same, to be mutated | ${isRemade(going, aTServer({ finalizers: ['x'] }))}
    an update of what fits no schema | ${isChanged(spec({ app: 7 }), server)}
    10,000 servants | ${isNew(MANY_SERVANTS)}
    port −1 | ${isNew(servant({ port: -1 }))}
    port 0 | ${isNew(servant({ port: 0 }))}
    port 65536 | ${isNew(servant({ port: 65_536 }))}
    port −0 | ${isNew(servant({ port: '#' }), '-0')}
    port 9007199254740993 | ${isNew(servant({ port: '#' }), '9007199254740993')}
    a port of the node −1 | ${isNew(exposed(['EchoObj', -1]))}
    port that stands twice, of which the last counts | ${isNew(servant({ port: '#' }), '80,"port":0')}
    released at 9999-99-99 | ${isNew(released({ time: '9999-99-99T99:99:99Z' }))}
    released at 24:00:00 | ${isNew(released({ time: '2026-11-18T24:00:00Z' }))}
    released at +99:99 | ${isNew(released({ time: '2026-11-18T12:00:00+99:99' }))}
    released with words behind the time | ${isNew(released({ time: '2026-11-18T12:00:00Ztea' }))}
    released at the 30th of February | ${isNew(released({ time: '2026-02-30T12:00:00Z' }))}
    released at a leap second | ${isNew(released({ time: '2016-12-31T23:59:60Z' }))}
    released at an empty text | ${isNew(released({ time: '' }))}
    an image in unicode | ${isNew(released({ image: 'größe' }))}
    an image with a space | ${isNew(released({ image: 'a b' }))}
    a regex bomb for a servant | ${isNew(servant({ name: bomb() }))}
    a regex bomb for a port | ${isNew(aTServer({ ports: [{ name: bomb(), port: 80 }] }))}
    a regex bomb for the readiness gate | ${isNew(k8s({ readinessGate: `${'a-.'.repeat(60_000)}/` }))}
    a regex bomb for a variable | ${isNew(env({ name: bomb(), value: '' }))}
    a regex bomb for a prefix | ${isNew(k8s({ envFrom: [{ prefix: bomb(), secretRef: { name: 'a' } }] }))}
    a regex bomb for a quantity | ${isNew(limited(DIGITS))}
    a regex bomb for a quantity with an exponent | ${isNew(limited(`1e${DIGITS}`))}
    a regex bomb for an owner | ${isNew(mount({ source: { tLocalVolume: { uid: DIGITS } } }))}
    a regex bomb for the release | ${isNew(released({ id: bomb() }))}
    a regex bomb for the image | ${isNew(released({ image: `${'a-'.repeat(100_000)}\n` }))}
    a regex bomb for a secret | ${isNew(released({ secret: `${'a.'.repeat(100_000)}!` }))}
    a quantity in words | ${isNew(limited('much'))}
    a variable with value and valueFrom | ${isNew(env({ value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }))}
    a variable with neither | ${isNew(env({}))}
    a mount with two sources | ${isNew(mount({ source: { emptyDir: {}, hostPath: { path: '/', type: '' } } }))}
  allowed {}: of another shape than this tars-admission knows, so the object is not checked (CV-8)
    no spec | ${created({ spec: undefined })} | spec
    a text for the spec | ${created({ spec: 'x' })} | spec
    a list for spec.k8s | ${isNew(spec({ k8s: [] }))} | spec.k8s
    a number for the app | ${isNew(spec({ app: 7 }))} | spec.app
    port 1.5 | ${isNew(servant({ port: 1.5 }))} | spec.tars.servants[0].port
    port "80" | ${isNew(servant({ port: '80' }))} | spec.tars.servants[0].port
    port null | ${isNew(servant({ port: null }))} | spec.tars.servants[0].port
    port true | ${isNew(servant({ port: true }))} | spec.tars.servants[0].port
    port 1e400 | ${isNew(servant({ port: '#' }), '1e400')} | spec.tars.servants[0].port
    a name to be generated | ${created({}, { name: undefined, generateName: 'demo-' })} | metadata.name
    labels that are numbers | ${created({}, { labels: { a: 1 } })} | metadata.labels.a
    a release without anything | ${isNew(aTServer({ release: {} }))} | spec.release.id
    a release that is null | ${isNew(spec({ release: null }))} | spec.release
    released at a list | ${isNew(released({ time: [] }))} | spec.release.time
    released at a number | ${isNew(released({ time: 1e12 }))} | spec.release.time
    a quantity of 1e400 | ${isNew(limited('#'), '1e400')} | spec.k8s.resources.limits.cpu
    a quantity of 1.5 without quotes | ${isNew(limited(1.5))} | spec.k8s.resources.limits.cpu
`,
]
