import { isTree, type Tree } from '../../../src/schema.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { MUTATING } from '../../support/desk.ts'
import { posting } from '../../support/fakes/wire.ts'
import { reviewsOf, withRequest } from '../../support/reviews.ts'
import {
  allowed,
  FORCED,
  type Group,
  invalid,
  lists,
  MANAGED,
  mutated,
  patched,
  raw,
  unchecked,
  validated,
} from './entry.ts'

const { creationOf, updateOf, deletionOf } = reviewsOf(TTEMPLATE)
const root = aTTemplate({ name: 'new' })
const review = creationOf(root)
const GOOD = JSON.stringify(review)
const having = (parts: Tree) => posting(JSON.stringify({ ...review, ...parts }))
const request = (parts: Tree) => posting(JSON.stringify(withRequest(review, parts)))

/** A template that hangs on base, with more in it. */
const child = (metadata: Tree = {}, spec: Tree = {}): Tree => {
  const object = aTTemplate({ name: 'leaf', parent: 'base' })
  return {
    ...object,
    metadata: { ...object.metadata, ...metadata },
    spec: { ...(isTree(object.spec) ? object.spec : {}), ...spec },
  }
}
const LABEL = { 'tars.io/Parent': 'base' }
const LONG_CHAIN =
  'spec.parent: hangs on a chain of more than 64 templates, beginning leaf → tick → tock → tick → tock; name a parent that leads to a root template (TT-V5)'

export const TTEMPLATES: readonly Group[] = [
  allowed({
    '100 levels': having({ more: JSON.parse(lists(99)) }),
    'keys that stand twice, of which the last counts': raw(GOOD.replace('{', '{"kind":"Pod",')),
    'lone surrogates': request({ more: '\uD800', uid: '\uDC00' }),
    'bytes that are no UTF-8': posting(Buffer.from(GOOD.replace('<tars>', '\xFF\xFE\xC0'), 'latin1')),
    'dryRun null': request({ dryRun: null }),
    'name and namespace null': request({ name: null, namespace: null }),
    'options of a forced server-side apply': request({
      options: FORCED,
    }),
    'an object of another kind than request.kind: the request counts': request({ object: { ...root, kind: 'Pod' } }),
    'a namespace other than that of the request': request({ namespace: 'other' }),
    'an annotation of 256 KiB': request({ object: child({ name: 'new', annotations: { a: 'x'.repeat(262_144) } }) }),
    '200 managedFields': request({
      object: child({
        managedFields: MANAGED,
      }),
    }),
    'CRLF and NUL bytes in a text': request({ object: child({}, { content: 'a\r\nb\0c' }) }),
    'timestamps out of range': request({
      object: child({ creationTimestamp: '9999-99-99T99:99:99Z', deletionTimestamp: '-1' }),
    }),
    'a name in unicode': request({ object: child({ name: 'größe' }) }),
    'a name in capitals': request({ object: child({ name: 'Base' }) }),
    'a name of 254 characters': request({ object: child({ name: 'a'.repeat(254) }) }),
    'a name with a dot behind': request({ object: child({ name: 'base.' }) }),
    'a template of 254 characters that goes': validated(deletionOf(child({ name: 'a'.repeat(254) }))),
    'an object being deleted, whatever becomes of its finalizers': validated(
      updateOf(child({ deletionTimestamp: '2026-11-18T12:00:00Z' }), child({ finalizers: [7] })),
    ),
    'a template that is its own parent': validated(creationOf(root)),
    'a content of 1.5 million characters and more': request({
      object: child({}, { content: 'x'.repeat(1_560_001) }),
    }),
  }),
  invalid('spec.parent: required; use the own name for a root template (TT-V1)', {
    'an empty parent': validated(creationOf(child({}, { parent: '' }))),
  }),
  invalid('spec.parent: TTemplate demo/nowhere does not exist; create it first, or name another (TT-V2)', {
    'another parent of an object being deleted': validated(
      updateOf(child({ deletionTimestamp: '2026-11-18T12:00:00Z' }), child({}, { parent: 'nowhere' })),
    ),
    'a parent that there is not': validated(creationOf(child({}, { parent: 'nowhere' }))),
  }),
  invalid(
    'spec.parent: would create a cycle base → child → base; name a parent that leads to a root template (TT-V5)',
    { 'a cycle': validated(updateOf(aTTemplate(), aTTemplate({ parent: 'child' }))) },
  ),
  invalid(LONG_CHAIN, { 'a chain that leads into a cycle': validated(creationOf(child({}, { parent: 'tick' }))) }),
  patched(
    {
      'no labels': mutated(creationOf(child({ labels: undefined }))),
      'labels null': mutated(creationOf(child({ labels: null }))),
    },
    [{ op: 'add', path: '/metadata/labels', value: LABEL }],
  ),
  patched(
    {
      'empty name with generateName': mutated(creationOf(child({ name: '', generateName: 'leaf-', labels: {} }))),
      'keys with / and ~': mutated(creationOf(child({ labels: { 'a/b~c': 'x', '~1': 'y', '~0': 'z' } }))),
      '__proto__ and constructor for keys': raw(
        JSON.stringify(creationOf(child({ labels: { a: 'x' } })))
          .replace('"labels":{', '"labels":{"__proto__":"x","constructor":"y",')
          .replace('"spec":{', '"spec":{"__proto__":{"parent":"x"},"constructor":{"prototype":{"polluted":true}},'),
        MUTATING,
      ),
    },
    [{ op: 'add', path: '/metadata/labels/tars.io~1Parent', value: 'base' }],
  ),
  patched({ 'a parent that fits into no label': mutated(creationOf(child({}, { parent: 'a'.repeat(64) }))) }, [
    { op: 'remove', path: '/metadata/labels/tars.io~1Parent' },
  ]),
  allowed({
    'labels that are numbers, to be mutated': mutated(creationOf(child({ labels: { a: 1 } }))),
    'metadata null': mutated(creationOf({ ...child(), metadata: null })),
    'a list for the spec, to be mutated': mutated(creationOf({ ...child(), spec: [] })),
  }),
  allowed(
    { '1e400, −0 and integers > 2^53': raw(GOOD.replace('"spec":{', '"spec":{"more":[1e400,-0,9007199254740993],')) },
    'spec.more: a field that this tars-admission does not know, so no rule looks at it (CV-8)',
  ),
  allowed(
    { 'unknown fields': request({ object: { ...child({ more: 1 }, { more: 1 }), more: 1 } }) },
    'more: a field that this tars-admission does not know, so no rule looks at it (CV-8)\nspec.more: a field that this tars-admission does not know, so no rule looks at it (CV-8)',
  ),
  invalid(
    'spec.parent: TTemplate demo/größe does not exist; create it first, or name another (TT-V2); spec.parent: größe does not fit into label tars.io/Parent, which takes 63 characters; give the parent a shorter name (TT-V6)',
    { 'a parent in unicode': request({ object: child({}, { parent: 'größe' }) }) },
  ),
  invalid('spec.parent: TTemplate demo/Base does not exist; create it first, or name another (TT-V2)', {
    'a parent in capitals': request({ object: child({}, { parent: 'Base' }) }),
  }),
  invalid(
    'spec.parent: TTemplate demo/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa … not fit into label tars.io/Parent, which takes 63 characters; give the parent a shorter name (TT-V6) (714 characters)',
    { 'a parent of 254 characters': request({ object: child({}, { parent: 'a'.repeat(254) }) }) },
  ),
  invalid(
    'spec.parent: TTemplate demo/base. does not exist; create it first, or name another (TT-V2); spec.parent: base. does not fit into label tars.io/Parent, which takes 63 characters; give the parent a shorter name (TT-V6)',
    { 'a parent with a dot behind': request({ object: child({}, { parent: 'base.' }) }) },
  ),
  invalid(
    'spec.parent: TTemplate demo/base\r\n does not exist; create it first, or name another (TT-V2); spec.parent: base\r\n does not fit into label tars.io/Parent, which takes 63 characters; give the parent a shorter name (TT-V6)',
    { 'a parent with CRLF': request({ object: child({}, { parent: 'base\r\n' }) }) },
  ),
  invalid(
    'spec.parent: TTemplate demo/base\u0000 does not exist; create it first, or name another (TT-V2); spec.parent: base\u0000 does not fit into label tars.io/Parent, which takes 63 characters; give the parent a shorter name (TT-V6)',
    { 'a parent with NUL': request({ object: child({}, { parent: 'base\0' }) }) },
  ),
  invalid(
    'spec.parent: TTemplate demo/a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a- … not fit into label tars.io/Parent, which takes 63 characters; give the parent a shorter name (TT-V6) (712 characters)',
    { 'a regex bomb for a parent': request({ object: child({}, { parent: `${'a-'.repeat(126)}!` }) }) },
  ),
  invalid(
    'spec.parent: TTemplate demo/a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a- … not fit into label tars.io/Parent, which takes 63 characters; give the parent a shorter name (TT-V6) (4034 characters)',
    { 'a regex bomb of 4 MB': request({ object: child({}, { parent: `${'a-'.repeat(2_000_000)}!` }) }) },
  ),
  ...unchecked({
    spec: {
      'an object without anything': request({ object: {} }),
      'a list for the spec': request({ object: { ...child(), spec: [] } }),
    },
    'metadata.labels.a': { 'labels that are numbers': request({ object: child({ labels: { a: 1 } }) }) },
    'metadata.labels': { 'labels that are a list': request({ object: child({ labels: [] }) }) },
    'spec.parent': { 'a number for the parent': request({ object: child({}, { parent: 7 }) }) },
    'metadata.name': {
      'no name yet, as with generateName': request({ object: child({ name: undefined, generateName: 'leaf-' }) }),
    },
  }),
]
