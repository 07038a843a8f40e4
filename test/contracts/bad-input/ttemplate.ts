import { isTree, type Tree } from '../../../src/schema.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { MUTATING } from '../../support/answerer-parts.ts'
import { aTTemplate, GOING } from '../../support/builders/templates.ts'
import { posting } from '../../support/fakes/wire.ts'
import { withRequest } from '../../support/reviews.ts'
import { asking, asWritten, FORCED, lists, MANAGED, over, raw, table } from './entry.ts'

const root = aTTemplate({ name: 'new' })
const leaf = aTTemplate({ name: 'leaf', parent: 'base' })
const { creationOf, isNew, isMade, isChanged, isGone } = asking(TTEMPLATE, leaf)
const GOOD = JSON.stringify(creationOf(root))
const request = (parts: Tree) => asWritten(withRequest(creationOf(root), parts))
/** Keys that each object of JavaScript has already. */
const PROTO = JSON.stringify(creationOf(over(leaf, {}, { labels: { a: 'x' } })))
  .replace('"labels":{', '"labels":{"__proto__":"x","constructor":"y",')
  .replace('"spec":{', '"spec":{"__proto__":{"parent":"x"},"constructor":{"prototype":{"polluted":true}},')
/** A template that hangs on base, with more in it. */
const child = (metadata: Tree = {}, spec: Tree = {}) =>
  over(leaf, { spec: { ...(isTree(leaf.spec) ? leaf.spec : {}), ...spec } }, metadata)

export const TTEMPLATES = table`
  allowed
    100 levels | ${asWritten({ ...creationOf(root), more: JSON.parse(lists(99)) })}
    keys that stand twice, of which the last counts | ${raw(GOOD.replace('{', '{"kind":"Pod",'))}
    lone surrogates | ${request({ more: '\uD800', uid: '\uDC00' })}
    bytes that are no UTF-8 | ${posting(Buffer.from(GOOD.replace('<tars>', '\xFF\xFE\xC0'), 'latin1'))}
    dryRun null | ${request({ dryRun: null })}
    name and namespace null | ${request({ name: null, namespace: null })}
    options of a forced server-side apply | ${request({ options: FORCED })}
    an object of another kind than request.kind: the request counts | ${isNew({ ...root, kind: 'Pod' })}
    a namespace other than that of the request | ${request({ namespace: 'other' })}
    an annotation of 256 KiB | ${isNew(child({ name: 'new', annotations: { a: 'x'.repeat(262_144) } }))}
    200 managedFields | ${isNew(child({ managedFields: MANAGED }))}
    CRLF and NUL bytes in a text | ${isNew(child({}, { content: 'a\r\nb\0c' }))}
    timestamps out of range | ${isNew(child({ creationTimestamp: '9999-99-99T99:99:99Z', deletionTimestamp: '-1' }))}
    a name in unicode | ${isNew(child({ name: 'größe' }))}
    a name in capitals | ${isNew(child({ name: 'Base' }))}
    a name of 254 characters | ${isNew(child({ name: 'a'.repeat(254) }))}
    a name with a dot behind | ${isNew(child({ name: 'base.' }))}
    a template of 254 characters that goes | ${isGone(child({ name: 'a'.repeat(254) }))}
    an object being deleted, whatever becomes of its finalizers | ${isChanged(child(GOING), child({ finalizers: [7] }))}
    a template that is its own parent | ${isNew(root)}
    a content of 1.5 million characters and more | ${isNew(child({}, { content: 'x'.repeat(1_560_001) }))}
    labels that are numbers, to be mutated | ${isMade(child({ labels: { a: 1 } }))}
    metadata null | ${isMade({ ...child(), metadata: null })}
    a list for the spec, to be mutated | ${isMade({ ...child(), spec: [] })}
  Invalid {}
    an empty parent | ${isNew(child({}, { parent: '' }))} | spec.parent: required; use the own name for a root template (TT-V1)
    a cycle | ${isChanged(aTTemplate(), aTTemplate({ parent: 'child' }))} | spec.parent: would create a cycle base → child → base; name a parent that leads to a root template (TT-V5)
    a chain that leads into a cycle | ${isNew(child({}, { parent: 'tick' }))} | spec.parent: hangs on a chain of more than 64 templates, beginning leaf → tick → tock → tick → tock; name a parent that leads to a root template (TT-V5)
    a regex bomb of 4 MB | ${isNew(child({}, { parent: `${'a-'.repeat(2_000_000)}!` }))} | spec.parent: TTemplate demo/a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a- … not fit into label tars.io/Parent, which takes 63 characters; give the parent a shorter name (TT-V6) (4034 characters)
  Invalid spec.parent: TTemplate demo/{} does not exist; create it first, or name another (TT-V2)
    another parent of an object being deleted | ${isChanged(child(GOING), child({}, { parent: 'nowhere' }))} | nowhere
    a parent that there is not | ${isNew(child({}, { parent: 'nowhere' }))} | nowhere
    a parent in capitals | ${isNew(child({}, { parent: 'Base' }))} | Base
  patched {}
    no labels | ${isMade(child({ labels: undefined }))} | [{"op":"add","path":"/metadata/labels","value":{"tars.io/Parent":"base"}}]
    labels null | ${isMade(child({ labels: null }))} | [{"op":"add","path":"/metadata/labels","value":{"tars.io/Parent":"base"}}]
    empty name with generateName | ${isMade(child({ name: '', generateName: 'leaf-', labels: {} }))} | [{"op":"add","path":"/metadata/labels/tars.io~1Parent","value":"base"}]
    keys with / and ~ | ${isMade(child({ labels: { 'a/b~c': 'x', '~1': 'y', '~0': 'z' } }))} | [{"op":"add","path":"/metadata/labels/tars.io~1Parent","value":"base"}]
    __proto__ and constructor for keys | ${raw(PROTO, MUTATING)} | [{"op":"add","path":"/metadata/labels/tars.io~1Parent","value":"base"}]
    a parent that fits into no label | ${isMade(child({}, { parent: 'a'.repeat(64) }))} | [{"op":"remove","path":"/metadata/labels/tars.io~1Parent"}] | metadata.labels[tars.io/Parent]: "base" is removed, for it mirrors spec.parent (TT-M1)
  allowed {}
    1e400, −0 and integers > 2^53 | ${raw(GOOD.replace('"spec":{', '"spec":{"more":[1e400,-0,9007199254740993],'))} | spec.more: a field that this tars-admission does not know, so no rule looks at it (CV-8)
    unknown fields | ${isNew({ ...child({ more: 1 }, { more: 1 }), more: 1 })} | more: a field that this tars-admission does not know, so no rule looks at it (CV-8) | spec.more: a field that this tars-admission does not know, so no rule looks at it (CV-8)
  Invalid spec.parent: TTemplate demo/{} does not exist; create it first, or name another (TT-V2); spec.parent: {} does not fit into label tars.io/Parent, which takes 63 characters; give the parent a shorter name (TT-V6)
    a parent of 254 characters | ${isNew(child({}, { parent: 'a'.repeat(254) }))} | ${'a'.repeat(254)}
    a regex bomb for a parent | ${isNew(child({}, { parent: `${'a-'.repeat(126)}!` }))} | ${'a-'.repeat(126)}!
    a parent in unicode | ${isNew(child({}, { parent: 'größe' }))} | größe
    a parent with a dot behind | ${isNew(child({}, { parent: 'base.' }))} | base.
    a parent with CRLF | ${isNew(child({}, { parent: 'base\r\n' }))} | base\r␤
    a parent with NUL | ${isNew(child({}, { parent: 'base\0' }))} | base\0
  allowed {}: of another shape than this tars-admission knows, so the object is not checked (CV-8)
    an object without anything | ${isNew({})} | spec
    a list for the spec | ${isNew({ ...child(), spec: [] })} | spec
    labels that are numbers | ${isNew(child({ labels: { a: 1 } }))} | metadata.labels[a]
    labels that are a list | ${isNew(child({ labels: [] }))} | metadata.labels
    a number for the parent | ${isNew(child({}, { parent: 7 }))} | spec.parent
    no name yet, as with generateName | ${isNew(child({ name: undefined, generateName: 'leaf-' }))} | metadata.name
`
