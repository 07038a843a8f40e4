import type { Tree } from '../../../src/schema.ts'
import { TSERVER } from '../../../webhooks/tars/tserver/schema.ts'
import { MUTATING } from '../../support/answerer-parts.ts'
import { aMount, aRelease, aServant, aTServer } from '../../support/builders/servers.ts'
import { withRequest } from '../../support/reviews.ts'
import { asking, asWritten, bomb, MANAGED, many, over, reworded, STATUS, table } from './entry.ts'

const server = aTServer()
const { creationOf, having, isNew, isMade, isChanged, isRemade, created, made, isForced } = asking(TSERVER, server)
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

export const TSERVERS = table`
  allowed {}
    a number for the app, to be mutated | ${isMade(spec({ app: 7 }))} | spec.app: is a number, and a text belongs there; write it in quotes
    a status-only update | ${isChanged(server, server, STATUS)} | no handler for UPDATE of tservers/status v1beta2 on /validating
    bounds that were there before, to be mutated | ${isRemade(bounded('x', '4'), bounded('x', '4'))} | metadata.annotations[tars.io/MinReplicas]: must be an integer 0..99, not "x"; ignored (TS-M10)
    bounds of a number | ${isNew(bounded(1))} | metadata.annotations[tars.io/MinReplicas]: of another shape than this tars-admission knows, so the object is not… (CV-8)
    unknown fields | ${isNew(over(spec({ more: { a: [1] } }), { more: 1 }))} | more: a field that this tars-admission does not know, so no rule looks at it (CV-8) | spec.more: a field that this tars-admission does not know, so no rule looks at it (CV-8)
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
  patched [{"op":"remove","path":"/metadata/labels/tars.io~1ServerApp"}]
  metadata.labels[tars.io/ServerApp]: "Demo" is removed, for it mirrors spec.app (TS-M1)
    an app in unicode, to be mutated | ${isMade(spec({ app: 'Größe' }))}
    an app of 254 characters, to be mutated | ${isMade(spec({ app: 'a'.repeat(254) }))}
  patched [{"op":"remove","path":"/metadata/labels/tars.io~1ServerApp"},{"op":"remove","path":"/metadata/labels/tars.io~1ServerName"},{"op":"remove","path":"/metadata/labels/tars.io~1SubType"},{"op":"remove","path":"/metadata/labels/tars.io~1Template"}]
  metadata.labels[tars.io/ServerApp]: "Demo" is removed, for it mirrors spec.app (TS-M1)
  metadata.labels[tars.io/ServerName]: "Echo" is removed, for it mirrors spec.server (TS-M2)
  metadata.labels[tars.io/SubType]: "tars" is removed, for it mirrors spec.subType (TS-M3)
  metadata.labels[tars.io/Template]: "base" is removed, for it mirrors spec.tars.template (TS-M4)
    no spec, to be mutated | ${made({ spec: undefined })}
    an empty spec, to be mutated | ${made({ spec: {} })}
  patched {}
    a template that fits into no label, of a server that carries another, to be mutated | ${isRemade(LONG, having({ spec: LONG.spec }))} | [{"op":"remove","path":"/metadata/labels/tars.io~1Template"}] | metadata.labels[tars.io/Template]: "base" is removed, for it mirrors spec.tars.template (TS-M4)
    a subType that there is not, to be mutated | ${isMade(spec({ subType: 'golang' }))} | [{"op":"add","path":"/metadata/labels/tars.io~1SubType","value":"golang"}] | metadata.labels[tars.io/SubType]: "tars" becomes "golang", for it mirrors spec.subType (TS-M3)
    a template of 254 characters, to be mutated | ${isMade(aTServer({ template: 'a'.repeat(254), labels: {} }))} | [{"op":"add","path":"/metadata/labels/tars.io~1ServerApp","value":"Demo"},{"op":"add","path":"/metadata/labels/tars.io~1ServerName","value":"Echo"},{"op":"add","path":"/metadata/labels/tars.io~1SubType","value":"tars"}]
    labels null, to be mutated | ${made({}, { labels: null })} | [{"op":"add","path":"/metadata/labels","value":{"tars.io/ServerApp":"Demo","tars.io/ServerName":"Echo","tars.io/SubType":"tars","tars.io/Template":"base"}}]
    a release without anything, to be mutated | ${isMade(aTServer({ release: {} }))} | [{"op":"add","path":"/spec/release/time","value":"<now>"},{"op":"add","path":"/spec/release/nodeImage","value":"tarscloud/tars.tarsnode:v1"}]
    a key with / and ~ beside a label that goes, to be mutated | ${made({}, { labels: { ...server.metadata.labels, 'tars.io/ServerID': 'r1', 'tars.io~1ServerID': 'x' } })} | [{"op":"remove","path":"/metadata/labels/tars.io~1ServerID"}] | metadata.labels[tars.io/ServerID]: "r1" is removed, for this version of the API has no such label (TS-M6)
  Invalid spec.{}; give the block that spec.subType names, and not the other (TS-V5)
    both tars and normal | ${isNew(spec({ normal: { ports: [] } }))} | normal: only allowed when spec.subType is "normal"
    neither tars nor normal | ${isNew(spec({ tars: undefined }))} | tars: required when spec.subType is "tars"
    a subType that there is not | ${isNew(spec({ subType: 'golang' }))} | tars: only allowed when spec.subType is "tars"
  Invalid {}
    a port of the node that leads nowhere | ${isNew(exposed(['nobody', 80]))} | spec.k8s.hostPorts[0].nameRef: no servant or port named "nobody"; name one of spec.tars.servants, spec.tars.ports or spec.normal.ports (TS-V16)
    two ports of the node to one servant | ${isNew(exposed(['EchoObj', 80], ['ECHOOBJ', 81]))} | spec.k8s.hostPorts[1].nameRef: "ECHOOBJ" duplicates hostPorts[0] (compared without case); keep one of them (TS-V18)
    two servants, of which one is in capitals | ${isNew(aTServer({ servants: [aServant(), aServant({ name: 'ECHOOBJ', port: 10_001 })] }))} | spec.tars.servants[1].name: "ECHOOBJ" duplicates servants[0] (compared without case); give each a name of its own (TS-V8)
    the servant of the node agent | ${isNew(servant({ name: 'nodeobj', port: 19385 }))} | spec.tars.servants[0].name: "nodeobj" is reserved for the node agent; take another name (TS-V10); spec.tars.servants[0].port: 19385 is reserved for tarsnode; take another port (TS-V11)
    bounds of 100 | ${isNew(bounded('1', '100'))} | metadata.annotations[tars.io/MaxReplicas]: must be an integer 0..99, not "100"; correct or remove the annotation (TS-V20)
    a release without anything where no framework is, to be mutated | ${asWritten(withRequest(creationOf(aTServer({ release: {} })), { namespace: 'prod' }), undefined, MUTATING)} | spec.release.nodeImage: not set and TFrameworkConfig prod/tars-framework has no nodeImage.image; set it, or create that TFrameworkConfig first (TS-V21)
    a mount with a path of 100 KB, twice | ${isNew(k8s({ mounts: many(2, (at) => aMount({ name: `m${at}`, mountPath: `/${'x'.repeat(100_000)}` })) }))} | spec.k8s.mounts[1].mountPath: /xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx … by mounts[0]; give each mount a path of its own, and one of subPath and subPathExpr at most (TS-V23) (2033 characters)
    an update of app, server and subType at once | ${isChanged(server, over(aTServer({ app: 'B', server: 'C', normal: [] }), {}, { name: 'demo-echo' }))} | spec.app: field is immutable; create another TServer instead (TS-V1); spec.server: field is immutable; create another TServer instead (TS-V2); spec.subType: field is immutable; create another TServer instead (TS-V3); spec.tars: block cannot be removed; create another TServer instead (TS-V4); spec.normal: block cannot be added to a tars server; create another TServer instead (TS-V4)
    an app of 254 characters | ${isNew(spec({ app: 'a'.repeat(254) }))} | metadata.name: must be "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa … acters behind the /; use shorter names, or None where it is the affinity that needs the key (TS-V25) (1033 characters)
    a regex bomb for the app | ${isNew(spec({ app: bomb() }))} | metadata.name: must be "a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a- … acters behind the /; use shorter names, or None where it is the affinity that needs the key (TS-V25) (4049 characters)
    a regex bomb for the template | ${isNew(aTServer({ template: bomb() }))} | spec.tars.template: TTemplate demo/a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a … at most 63 characters, to fit into label tars.io/Template; give the template a shorter name (TS-V24) (2153 characters)
    a regex bomb for a port of the node | ${isNew(exposed([bomb(), 80]))} | spec.k8s.hostPorts[0].nameRef: no servant or port named "a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a … -a-a-a-a-a-a-a-a-a-!"; name one of spec.tars.servants, spec.tars.ports or spec.normal.ports (TS-V16) (2034 characters)
    a regex bomb for a mount | ${isNew(mount({ name: bomb() }))} | spec.k8s.mounts[0].name: "a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a- … -a-a-a-!" must be a lower-case DNS label; take another name, of small letters, digits and - (TS-V22) (2028 characters)
    64 servants of one name and port | ${isNew(aTServer({ servants: many(64, () => aServant()) }))} | spec.tars.servants[1].name: "EchoObj" duplicates servants[0] (compared without case); give each a name of its own (TS-V8); spec.tars.servants[2].name: "EchoObj" duplicates servants[0] (compared withou … s[38].port: there are more, of which this is the first; mend those before it, then try again (TS-V9) (11648 characters)
    a name of 254 characters | ${isNew(aTServer({ name: 'a'.repeat(254) }))} | metadata.name: must be "demo-echo" for app "Demo" and server "Echo"; use that name (TS-V6); metadata.name: must be at most 58 characters; shorten spec.app or spec.server (TS-V7) | metadata.name: over 52 characters, so no pods can be created; shorten app or server (TS-W1)
    an app of 63 characters | ${isNew(aTServer({ app: 'A'.repeat(63) }))} | metadata.name: must be at most 58 characters; shorten spec.app or spec.server (TS-V7); spec.k8s.abilityAffinity: label key "tars.io/ability.demo.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA-Echo" is longer than 63 characters behind the /; use shorter names, or None where it is the affinity that needs the key (TS-V25) | metadata.name: over 52 characters, so no pods can be created; shorten app or server (TS-W1)
    another template of an object being deleted | ${isChanged(going, aTServer({ template: 'nowhere', going: true }))} | spec.tars.template: TTemplate demo/nowhere does not exist; create it first, or name another (TS-V15)
    a template that there is not | ${isNew(aTServer({ template: 'nowhere' }))} | spec.tars.template: TTemplate demo/nowhere does not exist; create it first, or name another (TS-V15)
  Invalid metadata.name: must be {}; use that name (TS-V6)
    a name in unicode | ${isNew(aTServer({ name: 'größe' }))} | "demo-echo" for app "Demo" and server "Echo"
    a name in capitals | ${isNew(aTServer({ name: 'Demo-Echo' }))} | "demo-echo" for app "Demo" and server "Echo"
    a name with a dot behind | ${isNew(aTServer({ name: 'demo-echo.' }))} | "demo-echo" for app "Demo" and server "Echo"
    a deletionTimestamp by hand | ${isNew(over(spec({ app: 'A' }), {}, { deletionTimestamp: 'soon' }))} | "a-echo" for app "A" and server "Echo"
    an app in unicode | ${isNew(spec({ app: 'Größe' }))} | "größe-echo" for app "Größe" and server "Echo"
    an app with a dot behind | ${isNew(spec({ app: 'Demo.' }))} | "demo.-echo" for app "Demo." and server "Echo"
    an app with a line break behind | ${isNew(spec({ app: 'Demo\n' }))} | "demo␤-echo" for app "Demo␤" and server "Echo"
  patched [{"op":"add","path":"/metadata/labels/tars.io~1ServerApp","value":"Demo"},{"op":"add","path":"/metadata/labels/tars.io~1ServerName","value":"Echo"},{"op":"add","path":"/metadata/labels/tars.io~1SubType","value":"tars"},{"op":"add","path":"/metadata/labels/tars.io~1Template","value":"base"}]
    keys with / and ~, to be mutated | ${made({}, { labels: { 'a/b~c': 'x', '~1': 'y', '~0': 'z' } })}
    __proto__ for a label, to be mutated | ${isMade(having({}, { labels: '#' }), '{"__proto__":"x"}')}
    an update of what fits no schema, to be mutated | ${isRemade(spec({ app: 7 }), having({}, { labels: {} }))}
  Invalid metadata.annotations[tars.io/MinReplicas]: must be an integer 0..99, not {}; correct or remove the annotation (TS-V20)
    bounds of an empty text | ${isNew(bounded(''))} | ""
    bounds of an empty text, to be mutated | ${isMade(bounded(''))} | ""
    bounds of 01 | ${isNew(bounded('01'))} | "01"
    bounds of −1 | ${isNew(bounded('-1'))} | "-1"
    bounds of 1.5 | ${isNew(bounded('1.5'))} | "1.5"
    bounds of 1e1 | ${isNew(bounded('1e1'))} | "1e1"
    bounds of 0x1 | ${isNew(bounded('0x1'))} | "0x1"
    bounds with a space | ${isNew(bounded(' 1'))} | " 1"
    bounds with a line break | ${isNew(bounded('1\n'))} | "1␤"
    bounds in the digits of another script | ${isNew(bounded('٣'))} | "٣"
    bounds of NaN | ${isNew(bounded('NaN'))} | "NaN"
  Invalid metadata.annotations[tars.io/MinReplicas]: must be an integer 0..99, not "999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999 … 99999999999999999999999999999999999999999999999999999999"; correct or remove the annotation (TS-V20) (2046 characters)
    bounds of 256 KiB | ${isNew(bounded('9'.repeat(262_144)))}
    bounds of 256 KiB, to be mutated | ${isMade(bounded('9'.repeat(262_144)))}
  Invalid metadata.annotations[tars.io/MinReplicas]: must not be greater than tars.io/MaxReplicas, but 5 > 4; correct or remove the annotation (TS-V20)
    bounds that contradict each other | ${isNew(bounded('5', '4'))}
    bounds that contradict each other, to be mutated | ${isMade(bounded('5', '4'))}
  Invalid spec.tars.template: TTemplate demo/{} does not exist; create it first, or name another (TS-V15); spec.tars.template: must be at most 63 characters, to fit into label tars.io/Template; give the template a shorter name (TS-V24)
    a template of 254 characters | ${isNew(aTServer({ template: 'a'.repeat(254) }))} | ${'a'.repeat(254)}
    a template with a dot behind | ${isNew(aTServer({ template: 'base.' }))} | base.
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
    labels that are numbers | ${created({}, { labels: { a: 1 } })} | metadata.labels[a]
    a release without anything | ${isNew(aTServer({ release: {} }))} | spec.release.id
    a release that is null | ${isNew(spec({ release: null }))} | spec.release
    released at a list | ${isNew(released({ time: [] }))} | spec.release.time
    released at a number | ${isNew(released({ time: 1e12 }))} | spec.release.time
    a quantity of 1e400 | ${isNew(limited('#'), '1e400')} | spec.k8s.resources.limits.cpu
    a quantity of 1.5 without quotes | ${isNew(limited(1.5))} | spec.k8s.resources.limits.cpu
`
