import type { Tree } from '../../../src/schema.ts'
import { TIMAGE } from '../../../webhooks/tars/timage/schema.ts'
import { aRelease, aTImage } from '../../support/builders/images.ts'
import { MUTATING } from '../../support/desk.ts'
import { reviewsOf, withRequest } from '../../support/reviews.ts'
import {
  allowed,
  bare,
  FORCED,
  type Group,
  having,
  inWords,
  MANAGED,
  mutated,
  patched,
  raw,
  validated,
} from './entry.ts'

const { creationOf, updateOf } = reviewsOf(TIMAGE)
const image = aTImage()
const isMade = (object: unknown) => mutated(creationOf(object))
const made = (fields: Tree, metadata: Tree = {}) => isMade(having(image, fields, metadata))
const releases = (...given: readonly unknown[]) => made({ releases: given })
const many = <T>(count: number, of: (at: number) => T) => Array.from({ length: count }, (_, at) => of(at))
const base = (supportedType: unknown, labels: Tree = {}) =>
  made({ imageType: 'base', supportedType }, { labels: { 'tars.io/ImageType': 'base', ...labels } })
const limited = (dropped: number) =>
  `releases: ${dropped} too many, for recordLimit.timageRelease of tars-framework is 48 (TI-M6)`
const gone = (from: number, to: number, more = '') =>
  `releases: dropped ${many(to - from + 1, (at) => `r${from + at}`).join(', ')}${more} (TI-M6)`

export const TIMAGES: readonly Group[] = [
  allowed({ 'a default of a number': made({ default: 7, releases: [aRelease('a')] }) }, bare('default')),
  allowed({ 'an id of a number': releases({ ...aRelease('a'), id: 7 }) }, bare('releases[0].id')),
  allowed({ 'supportedType of numbers': base([1]) }, bare('supportedType[0]')),
  allowed({
    'an image with nothing wrong': isMade(image),
    'two releases of one id, in small and capital letters': releases(aRelease('a'), aRelease('A')),
    'a default that names none': made({ default: 'nobody', releases: [aRelease('a')] }),
    'a release that is null': releases(null),
    'a release that is a text': releases('a'),
    'releases that are no list': made({ releases: { 0: {} } }),
    'releases null': made({ releases: null }),
    'created at 9999-99-99': releases({ ...aRelease('a'), createTime: '9999-99-99T99:99:99Z' }),
    'created at +99:99': releases({ ...aRelease('a'), createTime: '2026-11-18T12:00:00+99:99' }),
    'created at 24:00:00': releases({ ...aRelease('a'), createTime: '2026-11-18T24:00:00Z' }),
    'created at null': releases({ ...aRelease('a'), createTime: null }),
    'a list for the imageType': made({ imageType: ['base'] }),
    'supportedType null': base(null),
    'labels that are numbers': made({}, { labels: { a: 1 } }),
    'a regex bomb for the release': releases(aRelease(`${'a-'.repeat(100_000)}!`)),
    'a build of wrong types': made({ build: { running: 'x' } }),
    '1e400 and −0 in what is unknown': inWords(
      creationOf(having(image, { more: ['#', '%'] })),
      { '#': '1e400', '%': '-0' },
      MUTATING,
    ),
    'releases that stand twice, of which the last counts': raw(
      JSON.stringify(creationOf(having(image, { releases: [] }))).replace('"releases":', '"releases":[{}],"releases":'),
      MUTATING,
    ),
    'an object being deleted': mutated(
      updateOf(aTImage({ going: true }), having(aTImage(), { status: 7 }, { finalizers: [7] })),
    ),
    '200 managedFields and a forced server-side apply': mutated(
      withRequest(creationOf(having(image, {}, { managedFields: MANAGED })), { options: FORCED }),
    ),
  }),
  patched(
    {
      'an imageType in unicode': made({ imageType: 'größe' }),
      'an imageType of 254 characters': made({ imageType: 'a'.repeat(254) }),
    },
    [{ op: 'remove', path: '/metadata/labels/tars.io~1ImageType' }],
  ),
  patched(
    {
      '10,000 releases': made({ releases: many(10_000, (at) => aRelease(`r${at}`)) }),
    },
    '[{"op":"add","path":"/releases","value":[{"id":"r0","image":"registry.example/echo:r0","createTime":"2022-01-17T02:22:15Z"},{"id":"r1","image":"registry.example/echo:r1","createTime":"2022-01-17T02:22 … T02:22:15Z"},{"id":"r47","image":"registry.example/echo:r47","createTime":"2022-01-17T02:22:15Z"}]}] (4103 characters)',
    limited(9_952),
    ...[48, 67, 86, 104, 120, 136, 152, 168].map((from, at, all) => gone(from, (all[at + 1] ?? 184) - 1)),
    gone(184, 196, ' and 9803 more'),
  ),
  patched(
    {
      '10,000 releases of one id': made({ releases: many(10_000, () => aRelease('r')) }),
    },
    [
      {
        op: 'add',
        path: '/releases',
        value: [{ id: 'r', image: 'registry.example/echo:r', createTime: '2022-01-17T02:22:15Z' }],
      },
    ],
  ),
  patched(
    {
      '10,000 releases without an id': made({ releases: many(10_000, () => ({})) }),
    },
    '[{"op":"add","path":"/releases","value":[{"createTime":"<now>"},{"createTime":"<now>"},{"createTime":"<now>"},{"createTime":"<now>"},{"createTime":"<now>"},{"createTime":"<now>"},{"createTime":"<now>" … ow>"},{"createTime":"<now>"},{"createTime":"<now>"},{"createTime":"<now>"},{"createTime":"<now>"}]}] (231189 characters)',
    limited(9_952),
  ),
  patched(
    {
      '100,000 releases of 10 ids': made({ releases: many(100_000, (at) => aRelease(`r${at % 10}`)) }),
    },
    '[{"op":"add","path":"/releases","value":[{"id":"r0","image":"registry.example/echo:r0","createTime":"2022-01-17T02:22:15Z"},{"id":"r1","image":"registry.example/echo:r1","createTime":"2022-01-17T02:22 … 17T02:22:15Z"},{"id":"r9","image":"registry.example/echo:r9","createTime":"2022-01-17T02:22:15Z"}]}] (873 characters)',
  ),
  patched(
    {
      '49 releases, of which the last is the default one': made({
        releases: many(49, (at) => aRelease(`r${at}`)),
        default: 'r48',
      }),
    },
    '[{"op":"add","path":"/releases","value":[{"id":"r0","image":"registry.example/echo:r0","createTime":"2022-01-17T02:22:15Z"},{"id":"r1","image":"registry.example/echo:r1","createTime":"2022-01-17T02:22 … T02:22:15Z"},{"id":"r48","image":"registry.example/echo:r48","createTime":"2022-01-17T02:22:15Z"}]}] (4103 characters)',
    limited(1),
    gone(47, 47),
  ),
  patched(
    {
      '49 releases, and a default that names none': made({
        releases: many(49, (at) => aRelease(`r${at}`)),
        default: 'nobody',
      }),
    },
    '[{"op":"add","path":"/releases","value":[{"id":"r0","image":"registry.example/echo:r0","createTime":"2022-01-17T02:22:15Z"},{"id":"r1","image":"registry.example/echo:r1","createTime":"2022-01-17T02:22 … T02:22:15Z"},{"id":"r47","image":"registry.example/echo:r47","createTime":"2022-01-17T02:22:15Z"}]}] (4103 characters)',
    limited(1),
    gone(48, 48),
  ),
  patched(
    {
      'a release without anything': releases({}),
    },
    [{ op: 'add', path: '/releases', value: [{ createTime: '<now>' }] }],
  ),
  patched(
    {
      'an id __proto__': releases(aRelease('__proto__'), aRelease('constructor'), aRelease('__proto__')),
    },
    [
      {
        op: 'add',
        path: '/releases',
        value: [
          { id: '__proto__', image: 'registry.example/echo:__proto__', createTime: '2022-01-17T02:22:15Z' },
          { id: 'constructor', image: 'registry.example/echo:constructor', createTime: '2022-01-17T02:22:15Z' },
        ],
      },
    ],
  ),
  patched(
    {
      'a release without its time, stored twice, at +99:99 and at a time': mutated(
        updateOf(
          having(image, { releases: [{ ...aRelease('a'), createTime: '2026-11-18T12:00:00+99:99' }, aRelease('a')] }),
          having(image, { releases: [{ id: 'a', image: 'a' }] }),
        ),
      ),
    },
    [{ op: 'add', path: '/releases', value: [{ id: 'a', image: 'a', createTime: '2026-11-18T12:00:00+99:99' }] }],
  ),
  patched(
    {
      'a release without its time, where what is stored fits no schema': mutated(
        updateOf(having(image, { releases: [7] }), having(image, { releases: [{ id: 'a', image: 'a' }] })),
      ),
      'a release without its time that is not stored': mutated(
        updateOf(
          having(image, { releases: [aRelease('__proto__')] }),
          having(image, { releases: [{ id: 'a', image: 'a' }] }),
        ),
      ),
    },
    [{ op: 'add', path: '/releases', value: [{ id: 'a', image: 'a', createTime: '<now>' }] }],
  ),
  patched(
    {
      'created at an empty text': releases({ ...aRelease('a'), createTime: '' }),
    },
    [{ op: 'add', path: '/releases', value: [{ id: 'a', image: 'registry.example/echo:a', createTime: '<now>' }] }],
  ),
  patched(
    {
      'an imageType that there is not': made({ imageType: 'virtual' }),
    },
    [{ op: 'add', path: '/metadata/labels/tars.io~1ImageType', value: 'virtual' }],
  ),
  patched(
    {
      'an empty imageType': made({ imageType: '' }),
    },
    [{ op: 'add', path: '/metadata/labels/tars.io~1ImageType', value: '' }],
  ),
  patched(
    {
      'supportedType with one that there is not': base(['go', 'cobol', '__proto__']),
      'supportedType of 10,000': base(many(10_000, () => 'go')),
    },
    [{ op: 'add', path: '/metadata/labels/tars.io~1Supported.go', value: 'go' }],
  ),
  patched(
    {
      'labels Supported by hand, with / and ~ in them': base(['go'], {
        'tars.io/Supported.go': 'x',
        'tars.io/Supported.~1/a': 'y',
        'tars.io/Supported.': '',
        'tars.io/supported.go': 'z',
      }),
    },
    [
      { op: 'remove', path: '/metadata/labels/tars.io~1Supported.~01~1a' },
      { op: 'remove', path: '/metadata/labels/tars.io~1Supported.' },
    ],
  ),
  patched(
    {
      'labels null': made({}, { labels: null }),
    },
    [{ op: 'add', path: '/metadata/labels', value: { 'tars.io/ImageType': 'server' } }],
  ),
  patched(
    {
      'a mark with a lone surrogate, NUL and CRLF': inWords(
        creationOf(having(image, { releases: [{ ...aRelease('a'), createTime: '', mark: '#' }] })),
        { '#': '"\\ud800\\u0000\\r\\n"' },
        MUTATING,
      ),
    },
    [
      {
        op: 'add',
        path: '/releases',
        value: [{ id: 'a', image: 'registry.example/echo:a', createTime: '<now>', mark: '\ud800\u0000\r\n' }],
      },
    ],
  ),
  allowed(
    {
      'an image that is validated': validated(creationOf(having(image, { imageType: 7 }))),
    },
    'no handler for CREATE of timages v1beta2 on /validating',
  ),
]
