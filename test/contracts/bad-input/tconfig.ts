import type { Tree } from '../../../src/schema.ts'
import { TCONFIG } from '../../../webhooks/tars/tconfig/schema.ts'
import { aTConfig, DEACTIVATING, DELETING } from '../../support/builders/configs.ts'
import { GOING } from '../../support/builders/templates.ts'
import { asking, bomb, forced, MANAGED, over, reworded, STATUS, table } from './entry.ts'

const stored = aTConfig()
const { updateOf, having, isNew, isChanged, isRemade, isGone } = asking(TCONFIG, stored)
const file = aTConfig({ name: 'other', configName: 'other.conf' })
/** A version of another file, with these fields over its own. */
const other = (fields: Tree = {}, metadata: Tree = {}, word?: string) => isNew(over(file, fields, metadata), word)
/** What v1 becomes. */
const changed = (fields: Tree, metadata?: Tree) => isChanged(stored, having(fields, metadata))
/** As it is stored already, so that the mutations say what they find wrong and nothing else. */
const mutatedTo = (fields: Tree, metadata?: Tree) => isRemade(stored, having(fields, metadata))
const MEGABYTES = 'x'.repeat(1_400_000)
const marks = (more: Tree) => ({ labels: { ...stored.metadata.labels, ...more } })

export const TCONFIGS = table`
  allowed {}
    podSeq 1, to be mutated | ${mutatedTo({ podSeq: 1 })} | podSeq: is a number, and a text belongs there; write it in quotes
    a version of a number, to be mutated | ${mutatedTo({ version: 1 })} | version: is a number, and a text belongs there; write it in quotes
    a new version of a file that has one in force | ${isNew(aTConfig({ name: 'v2' }))} | deactivates TConfig v1
    the return to an old version | ${isChanged(aTConfig({ name: 'v0', activated: false }), aTConfig({ name: 'v0' }))} | deactivates TConfig v1
    a status-only update | ${isChanged(stored, stored, STATUS)} | no handler for UPDATE of tconfigs/status v1beta2 on /validating
    unknown fields | ${other({ more: { a: 1 }, spec: {} })} | more: a field that this tars-admission does not know, so no rule looks at it (CV-8) | spec: a field that this tars-admission does not know, so no rule looks at it (CV-8)
  allowed
    a version with nothing wrong | ${other()}
    a content of 1.4 MB | ${other({ configContent: MEGABYTES })}
    a content of 1.4 MB twice, unchanged | ${changed({ configContent: stored.configContent })}
    a content of 1.4 MB, to be mutated | ${mutatedTo({ configContent: MEGABYTES })}
    an empty content | ${other({ configContent: '' })}
    CRLF, NUL and lone surrogates in the content | ${other({ configContent: '#' }, {}, '"a\\r\\nb\\u0000\\ud800"')}
    podSeq null, to be mutated | ${mutatedTo({ podSeq: null })}
    activated "false", to be mutated | ${mutatedTo({ activated: 'false' })}
    activated null, to be mutated | ${mutatedTo({ activated: null })}
    a mark by hand, to be mutated | ${mutatedTo({}, marks(DELETING))}
    a mark of a number, to be mutated | ${mutatedTo({}, marks({ 'tars.io/Deleting': 1 }))}
    updateTime in the year 0 | ${other({ updateTime: '0000-01-01T00:00:00Z' })}
    the same updateTime in another zone | ${changed({ updateTime: '2026-01-01T08:00:00+08:00' })}
    an updateReason of 1,600 characters of two units | ${other({ updateReason: '😀'.repeat(1_600) })}
    a list for the labels, to be mutated | ${mutatedTo({}, { labels: [] })}
    a name of 254 characters | ${other({}, { name: 'a'.repeat(254) })}
    a name in unicode | ${other({}, { name: 'größe' })}
    a new version under a name that is taken | ${isNew(stored)}
    an update of what fits no schema, to be mutated | ${isRemade(having({ app: 7 }), stored)}
    an object being deleted, to be mutated | ${isRemade(aTConfig({ going: true }), having({ status: 7 }, { finalizers: [7] }))}
    an object being deleted, activated | ${isChanged(aTConfig({ going: true, activated: false }), aTConfig({ going: true }))}
    200 managedFields and a forced server-side apply | ${forced(updateOf(stored, having({}, { managedFields: MANAGED })))}
    configContent that stands twice, of which the last counts | ${reworded(updateOf(stored, stored), '"configContent":', '"configContent":"other","configContent":')}
    a content of 1,560,001 characters | ${other({ configContent: 'x'.repeat(1_560_001) })}
    podSeq empty | ${other({ podSeq: '' })}
    updateTime at 9999-99-99 | ${other({ updateTime: '9999-99-99T99:99:99Z' })}
    updateTime at 24:00:00 | ${other({ updateTime: '2026-11-18T24:00:00Z' })}
    updateTime at +99:99 | ${other({ updateTime: '2026-11-18T12:00:00+99:99' })}
    updateTime with words behind the time | ${other({ updateTime: '2026-11-18T12:00:00Ztea' })}
    an updateReason of 1,601 characters | ${other({ updateReason: 'x'.repeat(1_601) })}
    a regex bomb for the app | ${other({ app: bomb() })}
    a regex bomb for the server | ${other({ server: bomb() })}
    a regex bomb for the file | ${other({ configName: bomb() })}
    a regex bomb for the version | ${other({ version: bomb() })}
    a regex bomb for updateTime | ${other({ updateTime: `2026-11-18T12:00:00.${'1'.repeat(200_000)}` })}
    a file in unicode | ${other({ configName: 'größe' })}
    a file with a path | ${other({ configName: '../a' })}
    a file with a dot behind | ${other({ configName: 'a.' })}
    a file of 254 characters | ${other({ configName: 'a'.repeat(254) })}
  Invalid configContent: field is immutable; create a new TConfig with the new content (TC-V6)
    another content of an object being deleted | ${isChanged(aTConfig({ going: true }), having({ configContent: 'b' }, { finalizers: [] }))}
    a content of 1.4 MB in place of another | ${changed({ configContent: MEGABYTES })}
    CRLF in place of LF | ${isChanged(having({ configContent: 'a\nb' }), having({ configContent: 'a\r\nb' }))}
    a byte order mark before the content | ${isChanged(stored, having({ configContent: `\uFEFF${stored.configContent}` }))}
    a deletionTimestamp by hand | ${changed({ configContent: 'b' }, GOING)}
  Invalid podSeq: no active master configuration Demo.Echo/other.conf; create or activate that one first, with podSeq m (TC-V12)
    podSeq "1" of a file that has no version for all | ${other({ podSeq: '1' })}
    podSeq "100" | ${other({ podSeq: '100' })}
    podSeq "01" | ${other({ podSeq: '01' })}
    podSeq "-1" | ${other({ podSeq: '-1' })}
    podSeq "M" | ${other({ podSeq: 'M' })}
    a regex bomb for podSeq | ${other({ podSeq: '1'.repeat(200_000) })}
  Invalid {}
    podSeq "1" of an application | ${other({ podSeq: '1', server: '' })} | podSeq: application-level configuration has no node-level variant; name a server, or set podSeq to m (TC-V11)
    a mark by hand on a new version | ${other({}, { labels: DELETING })} | metadata.labels[tars.io/Deleting]: reserved; leave the label out (TC-V10)
    both marks by hand on a new version | ${other({}, { labels: { ...DELETING, ...DEACTIVATING } })} | metadata.labels[tars.io/Deactivate]: reserved; leave the label out (TC-V10); metadata.labels[tars.io/Deactivating]: reserved; leave the label out (TC-V10); metadata.labels[tars.io/Deleting]: reserved; leave the label out (TC-V10)
    a change of everything that may not change | ${changed({ app: 'A', server: 'B', configName: 'c', podSeq: '1', version: 'd', configContent: 'e', updateReason: 'f' })} | app: field is immutable; create a new TConfig instead (TC-V1); server: field is immutable; create a new TConfig instead (TC-V2); configName: field is immutable; create a new TConfig instead (TC-V3); podSeq: field is immutable; create a new TConfig instead (TC-V4); version: field is immutable; write 20260101000000-1, which was generated; a file for a new TConfig leaves it out (TC-V5); configContent: field is immutable; create a new TConfig with the new content (TC-V6); updateReason: field is immutable; create a new TConfig instead (TC-V7)
    a version by hand | ${changed({ version: 'mine' })} | version: field is immutable; write 20260101000000-1, which was generated; a file for a new TConfig leaves it out (TC-V5)
    a version that is left out of an update | ${changed({ version: undefined })} | version: field is immutable; write 20260101000000-1, which was generated; a file for a new TConfig leaves it out (TC-V5)
  patched {}
    a file of 254 characters, to be mutated | ${mutatedTo({ configName: 'a'.repeat(254) })} | [{"op":"remove","path":"/metadata/labels/tars.io~1ConfigName"}]
    a version in unicode, to be mutated | ${mutatedTo({ version: 'größe' })} | [{"op":"remove","path":"/metadata/labels/tars.io~1Version"}]
    a regex bomb for the version, to be mutated | ${mutatedTo({ version: bomb() })} | [{"op":"remove","path":"/metadata/labels/tars.io~1Version"}]
    podSeq empty, to be mutated | ${mutatedTo({ podSeq: '' })} | [{"op":"add","path":"/podSeq","value":"m"}]
    podSeq "100", to be mutated | ${mutatedTo({ podSeq: '100' })} | [{"op":"add","path":"/metadata/labels/tars.io~1PodSeq","value":"100"}]
    a mark that is taken away, to be mutated | ${isRemade(aTConfig({ labels: DEACTIVATING }), stored)} | [{"op":"add","path":"/metadata/labels/tars.io~1Deactivate","value":"Deactivating"},{"op":"add","path":"/metadata/labels/tars.io~1Deactivating","value":""}]
    all labels that are taken away, to be mutated | ${isRemade(aTConfig({ labels: DEACTIVATING }), having({}, { labels: null }))} | [{"op":"add","path":"/metadata/labels","value":{"tars.io/ServerApp":"Demo","tars.io/ServerName":"Echo","tars.io/Activated":"true","tars.io/ConfigName":"echo.conf","tars.io/PodSeq":"m","tars.io/Version":"20260101000000-1","tars.io/Deactivate":"Deactivating","tars.io/Deactivating":""}}]
    a deactivation by hand, to be mutated | ${mutatedTo({ activated: false })} | [{"op":"add","path":"/metadata/labels/tars.io~1Activated","value":"false"}]
    a version by hand, to be mutated | ${mutatedTo({ version: 'mine' })} | [{"op":"add","path":"/metadata/labels/tars.io~1Version","value":"mine"}]
    a version in capitals, to be mutated | ${mutatedTo({ version: 'MINE' })} | [{"op":"add","path":"/metadata/labels/tars.io~1Version","value":"MINE"}]
  Forbidden {}
    an edit of what is marked to be deleted | ${isChanged(aTConfig({ labels: DELETING }), aTConfig({ labels: DELETING }))} | metadata.labels[tars.io/Deleting]: this TConfig is being deleted; create a new one (TC-V9)
    a deactivation by hand | ${changed({ activated: false })} | activated: a configuration is deactivated by activating another version; create that version, or set its activated to true (TC-V8)
  patched [{"op":"remove","path":"/metadata/annotations/tars.io~1MarkedAt"},{"op":"remove","path":"/metadata/annotations/tars.io~1MarkedBy"},{"op":"remove","path":"/metadata/annotations/tars.io~1ActivatedBy"}]
  metadata.annotations[tars.io/MarkedAt]: "now" is removed, for it is written by admission alone (TC-M10)
  metadata.annotations[tars.io/MarkedBy]: "eve" is removed, for it is written by admission alone (TC-M10)
  metadata.annotations[tars.io/ActivatedBy]: "eve" is removed, for admission notes it (TC-M11)
    ActivatedBy, MarkedAt and MarkedBy by hand, to be mutated | ${mutatedTo({}, { annotations: { 'tars.io/ActivatedBy': 'eve', 'tars.io/MarkedAt': 'now', 'tars.io/MarkedBy': 'eve' } })}
  allowed removes 2 versions, this one with its whole history, and there is no way back: Demo.Echo/echo.conf
    the deletion of the version in force | ${isGone(stored)}
    the deletion of what has no labels | ${isGone(having({}, { labels: null }))}
    the deletion of what was created at no time | ${isGone(aTConfig({ created: 'never' }))}
  allowed {}: of another shape than this tars-admission knows, so the object is not checked (CV-8)
    no content | ${other({ configContent: undefined })} | configContent
    content null | ${other({ configContent: null })} | configContent
    podSeq null | ${other({ podSeq: null })} | podSeq
    podSeq 1 | ${other({ podSeq: 1 })} | podSeq
    activated "false" | ${other({ activated: 'false' })} | activated
    activated 0 | ${other({ activated: 0 })} | activated
    updateTime at a list | ${other({ updateTime: [] })} | updateTime
    a server null | ${other({ server: null })} | server
    an object without anything | ${isNew({})} | app
    the deletion of what fits no schema | ${isGone(having({ app: 7 }))} | app
`
