import type { Tree } from '../../../src/schema.ts'
import { TCONFIG } from '../../../webhooks/tars/tconfig/schema.ts'
import { aTConfig, DEACTIVATING, DELETING } from '../../support/builders/configs.ts'
import { reviewsOf, withRequest } from '../../support/reviews.ts'
import {
  allowed,
  bare,
  FORCED,
  forbidden,
  type Group,
  having,
  invalid,
  inWords,
  MANAGED,
  mutated,
  patched,
  raw,
  unchecked,
  validated,
} from './entry.ts'

const { creationOf, updateOf, deletionOf } = reviewsOf(TCONFIG)
const stored = aTConfig()
const isNew = (object: unknown) => validated(creationOf(object))
/** A version of another file, with these fields over its own. */
const other = (fields: Tree = {}, metadata: Tree = {}) =>
  having(aTConfig({ name: 'other', configName: 'other.conf' }), fields, metadata)
/** What v1 becomes. */
const changed = (fields: Tree, metadata: Tree = {}) => updateOf(stored, having(stored, fields, metadata))
/** As it is stored already, so that the mutations say what they find wrong and nothing else. */
const mutatedTo = (fields: Tree, metadata: Tree = {}) => mutated(changed(fields, metadata))
const BOMB = `${'a-'.repeat(100_000)}!`
const MEGABYTES = 'x'.repeat(1_400_000)
const marks = (more: Tree) => ({ labels: { ...stored.metadata.labels, ...more } })

export const TCONFIGS: readonly Group[] = [
  allowed({ 'podSeq 1, to be mutated': mutatedTo({ podSeq: 1 }) }, bare('podSeq')),
  allowed({ 'a version of a number, to be mutated': mutatedTo({ version: 1 }) }, bare('version')),
  allowed({
    'a version with nothing wrong': isNew(other()),
    'a content of 1.4 MB': isNew(other({ configContent: MEGABYTES })),
    'a content of 1.4 MB twice, unchanged': validated(changed({ configContent: stored.configContent })),
    'a content of 1.4 MB, to be mutated': mutatedTo({ configContent: MEGABYTES }),
    'an empty content': isNew(other({ configContent: '' })),
    'CRLF, NUL and lone surrogates in the content': inWords(creationOf(other({ configContent: '#' })), {
      '#': '"a\\r\\nb\\u0000\\ud800"',
    }),
    'podSeq null, to be mutated': mutatedTo({ podSeq: null }),
    'activated "false", to be mutated': mutatedTo({ activated: 'false' }),
    'activated null, to be mutated': mutatedTo({ activated: null }),
    'a mark by hand, to be mutated': mutatedTo({}, marks(DELETING)),
    'a mark of a number, to be mutated': mutatedTo({}, marks({ 'tars.io/Deleting': 1 })),
    'updateTime in the year 0': isNew(other({ updateTime: '0000-01-01T00:00:00Z' })),
    'the same updateTime in another zone': validated(changed({ updateTime: '2026-01-01T08:00:00+08:00' })),
    'an updateReason of 1,600 characters of two units': isNew(other({ updateReason: '😀'.repeat(1_600) })),
    'a list for the labels, to be mutated': mutatedTo({}, { labels: [] }),
    'a name of 254 characters': isNew(other({}, { name: 'a'.repeat(254) })),
    'a name in unicode': isNew(other({}, { name: 'größe' })),
    'a new version under a name that is taken': isNew(stored),
    'an update of what fits no schema, to be mutated': mutated(updateOf(having(stored, { app: 7 }), stored)),
    'an object being deleted, to be mutated': mutated(
      updateOf(aTConfig({ going: true }), having(stored, { status: 7 }, { finalizers: [7] })),
    ),
    'an object being deleted, activated': validated(
      updateOf(aTConfig({ going: true, activated: false }), aTConfig({ going: true })),
    ),
    '200 managedFields and a forced server-side apply': validated(
      withRequest(changed({}, { managedFields: MANAGED }), { options: FORCED }),
    ),
    'configContent that stands twice, of which the last counts': raw(
      JSON.stringify(changed({})).replace('"configContent":', '"configContent":"other","configContent":'),
    ),
    'a content of 1,560,001 characters': isNew(other({ configContent: 'x'.repeat(1_560_001) })),
    'podSeq empty': isNew(other({ podSeq: '' })),
    'updateTime at 9999-99-99': isNew(other({ updateTime: '9999-99-99T99:99:99Z' })),
    'updateTime at 24:00:00': isNew(other({ updateTime: '2026-11-18T24:00:00Z' })),
    'updateTime at +99:99': isNew(other({ updateTime: '2026-11-18T12:00:00+99:99' })),
    'updateTime with words behind the time': isNew(other({ updateTime: '2026-11-18T12:00:00Ztea' })),
    'an updateReason of 1,601 characters': isNew(other({ updateReason: 'x'.repeat(1_601) })),
    'a regex bomb for the app': isNew(other({ app: BOMB })),
    'a regex bomb for the server': isNew(other({ server: BOMB })),
    'a regex bomb for the file': isNew(other({ configName: BOMB })),
    'a regex bomb for the version': isNew(other({ version: BOMB })),
    'a regex bomb for updateTime': isNew(other({ updateTime: `2026-11-18T12:00:00.${'1'.repeat(200_000)}` })),
    'a file in unicode': isNew(other({ configName: 'größe' })),
    'a file with a path': isNew(other({ configName: '../a' })),
    'a file with a dot behind': isNew(other({ configName: 'a.' })),
    'a file of 254 characters': isNew(other({ configName: 'a'.repeat(254) })),
  }),
  invalid('configContent: field is immutable; create a new TConfig with the new content (TC-V6)', {
    'another content of an object being deleted': validated(
      updateOf(aTConfig({ going: true }), having(stored, { configContent: 'b' }, { finalizers: [] })),
    ),
    'a content of 1.4 MB in place of another': validated(changed({ configContent: MEGABYTES })),
    'CRLF in place of LF': validated(
      updateOf(having(stored, { configContent: 'a\nb' }), having(stored, { configContent: 'a\r\nb' })),
    ),
    'a byte order mark before the content': validated(
      updateOf(stored, having(stored, { configContent: `\uFEFF${stored.configContent}` })),
    ),
    'a deletionTimestamp by hand': validated(
      changed({ configContent: 'b' }, { deletionTimestamp: '2026-11-18T12:00:00Z' }),
    ),
  }),
  invalid(
    'podSeq: no active master configuration Demo.Echo/other.conf; create or activate that one first, with podSeq m (TC-V12)',
    { 'podSeq "1" of a file that has no version for all': isNew(other({ podSeq: '1' })) },
  ),
  invalid(
    'podSeq: application-level configuration has no node-level variant; name a server, or set podSeq to m (TC-V11)',
    { 'podSeq "1" of an application': isNew(other({ podSeq: '1', server: '' })) },
  ),
  patched({ 'a file of 254 characters, to be mutated': mutatedTo({ configName: 'a'.repeat(254) }) }, [
    { op: 'remove', path: '/metadata/labels/tars.io~1ConfigName' },
  ]),
  patched(
    {
      'a version in unicode, to be mutated': mutatedTo({ version: 'größe' }),
      'a regex bomb for the version, to be mutated': mutatedTo({ version: BOMB }),
    },
    [{ op: 'remove', path: '/metadata/labels/tars.io~1Version' }],
  ),
  patched({ 'podSeq empty, to be mutated': mutatedTo({ podSeq: '' }) }, [{ op: 'add', path: '/podSeq', value: 'm' }]),
  patched({ 'podSeq "100", to be mutated': mutatedTo({ podSeq: '100' }) }, [
    { op: 'add', path: '/metadata/labels/tars.io~1PodSeq', value: '100' },
  ]),
  invalid('metadata.labels[tars.io/Deleting]: reserved; leave the label out (TC-V10)', {
    'a mark by hand on a new version': isNew(other({}, { labels: DELETING })),
  }),
  invalid(
    'metadata.labels[tars.io/Deactivate]: reserved; leave the label out (TC-V10); metadata.labels[tars.io/Deactivating]: reserved; leave the label out (TC-V10); metadata.labels[tars.io/Deleting]: reserved; leave the label out (TC-V10)',
    { 'both marks by hand on a new version': isNew(other({}, { labels: { ...DELETING, ...DEACTIVATING } })) },
  ),
  patched(
    { 'a mark that is taken away, to be mutated': mutated(updateOf(aTConfig({ labels: DEACTIVATING }), stored)) },
    [
      { op: 'add', path: '/metadata/labels/tars.io~1Deactivate', value: 'Deactivating' },
      { op: 'add', path: '/metadata/labels/tars.io~1Deactivating', value: '' },
    ],
  ),
  patched(
    {
      'all labels that are taken away, to be mutated': mutated(
        updateOf(aTConfig({ labels: DEACTIVATING }), having(stored, {}, { labels: null })),
      ),
    },
    [
      {
        op: 'add',
        path: '/metadata/labels',
        value: {
          'tars.io/ServerApp': 'Demo',
          'tars.io/ServerName': 'Echo',
          'tars.io/Activated': 'true',
          'tars.io/ConfigName': 'echo.conf',
          'tars.io/PodSeq': 'm',
          'tars.io/Version': '20260101000000-1',
          'tars.io/Deactivate': 'Deactivating',
          'tars.io/Deactivating': '',
        },
      },
    ],
  ),
  forbidden('metadata.labels[tars.io/Deleting]: this TConfig is being deleted; create a new one (TC-V9)', {
    'an edit of what is marked to be deleted': validated(
      updateOf(aTConfig({ labels: DELETING }), aTConfig({ labels: DELETING })),
    ),
  }),
  invalid(
    'version: field is immutable; write 20260101000000-1, which was generated; a file for a new TConfig leaves it out (TC-V5)',
    {
      'a version by hand': validated(changed({ version: 'mine' })),
      'a version that is left out of an update': validated(changed({ version: undefined })),
    },
  ),
  patched({ 'a version by hand, to be mutated': mutatedTo({ version: 'mine' }) }, [
    { op: 'add', path: '/metadata/labels/tars.io~1Version', value: 'mine' },
  ]),
  patched({ 'a version in capitals, to be mutated': mutatedTo({ version: 'MINE' }) }, [
    { op: 'add', path: '/metadata/labels/tars.io~1Version', value: 'MINE' },
  ]),
  patched(
    {
      'ActivatedBy, MarkedAt and MarkedBy by hand, to be mutated': mutatedTo(
        {},
        { annotations: { 'tars.io/ActivatedBy': 'eve', 'tars.io/MarkedAt': 'now', 'tars.io/MarkedBy': 'eve' } },
      ),
    },
    [
      { op: 'remove', path: '/metadata/annotations/tars.io~1MarkedAt' },
      { op: 'remove', path: '/metadata/annotations/tars.io~1MarkedBy' },
      { op: 'remove', path: '/metadata/annotations/tars.io~1ActivatedBy' },
    ],
  ),
  allowed(
    {
      'a new version of a file that has one in force': isNew(aTConfig({ name: 'v2' })),
      'the return to an old version': validated(
        updateOf(aTConfig({ name: 'v0', activated: false }), aTConfig({ name: 'v0' })),
      ),
    },
    'deactivates TConfig v1',
  ),
  forbidden(
    'activated: a configuration is deactivated by activating another version; create that version, or set its activated to true (TC-V8)',
    { 'a deactivation by hand': validated(changed({ activated: false })) },
  ),
  patched({ 'a deactivation by hand, to be mutated': mutatedTo({ activated: false }) }, [
    { op: 'add', path: '/metadata/labels/tars.io~1Activated', value: 'false' },
  ]),
  invalid(
    'app: field is immutable; create a new TConfig instead (TC-V1); server: field is immutable; create a new TConfig instead (TC-V2); configName: field is immutable; create a new TConfig instead (TC-V3); podSeq: field is immutable; create a new TConfig instead (TC-V4); version: field is immutable; write 20260101000000-1, which was generated; a file for a new TConfig leaves it out (TC-V5); configContent: field is immutable; create a new TConfig with the new content (TC-V6); updateReason: field is immutable; create a new TConfig instead (TC-V7)',
    {
      'a change of everything that may not change': validated(
        changed({
          app: 'A',
          server: 'B',
          configName: 'c',
          podSeq: '1',
          version: 'd',
          configContent: 'e',
          updateReason: 'f',
        }),
      ),
    },
  ),
  allowed(
    {
      'the deletion of the version in force': validated(deletionOf(stored)),
      'the deletion of what has no labels': validated(deletionOf(having(stored, {}, { labels: null }))),
      'the deletion of what was created at no time': validated(deletionOf(aTConfig({ created: 'never' }))),
    },
    'removes 2 versions, this one with its whole history, and there is no way back: Demo.Echo/echo.conf',
  ),
  allowed(
    { 'a status-only update': validated(updateOf(stored, stored, { subResource: 'status' })) },
    'no handler for UPDATE of tconfigs/status v1beta2 on /validating',
  ),
  allowed(
    { 'unknown fields': isNew(other({ more: { a: 1 }, spec: {} })) },
    'more: a field that this tars-admission does not know, so no rule looks at it (CV-8)\nspec: a field that this tars-admission does not know, so no rule looks at it (CV-8)',
  ),
  invalid(
    'podSeq: no active master configuration Demo.Echo/other.conf; create or activate that one first, with podSeq m (TC-V12)',
    {
      'podSeq "100"': isNew(other({ podSeq: '100' })),
      'podSeq "01"': isNew(other({ podSeq: '01' })),
      'podSeq "-1"': isNew(other({ podSeq: '-1' })),
      'podSeq "M"': isNew(other({ podSeq: 'M' })),
      'a regex bomb for podSeq': isNew(other({ podSeq: '1'.repeat(200_000) })),
    },
  ),
  ...unchecked({
    configContent: {
      'no content': isNew(other({ configContent: undefined })),
      'content null': isNew(other({ configContent: null })),
    },
    podSeq: { 'podSeq null': isNew(other({ podSeq: null })), 'podSeq 1': isNew(other({ podSeq: 1 })) },
    activated: {
      'activated "false"': isNew(other({ activated: 'false' })),
      'activated 0': isNew(other({ activated: 0 })),
    },
    updateTime: { 'updateTime at a list': isNew(other({ updateTime: [] })) },
    server: { 'a server null': isNew(other({ server: null })) },
    app: {
      'an object without anything': isNew({}),
      'the deletion of what fits no schema': validated(deletionOf(having(stored, { app: 7 }))),
    },
  }),
]
