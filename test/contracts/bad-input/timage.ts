import type { Tree } from '../../../src/schema.ts'
import { TIMAGE } from '../../../webhooks/tars/timage/schema.ts'
import { MUTATING } from '../../support/answerer-parts.ts'
import { aRelease, aTImage } from '../../support/builders/images.ts'
import { asking, bomb, many, nine, reworded, table } from './entry.ts'

const image = aTImage()
const { creationOf, having, isMade, isRemade, created, made, isForced } = asking(TIMAGE, image)
const releases = (...given: readonly unknown[]) => made({ releases: given })
const createdAt = (createTime: unknown) => releases({ ...aRelease('a'), createTime })
/** Of what is stored, to a release that has no time. */
const timeless = (...stored: readonly unknown[]) =>
  isRemade(having({ releases: stored }), having({ releases: [{ id: 'a', image: 'a' }] }))
const numbered = (count: number, last = count) => many(count, (at) => aRelease(`r${at % last}`))
const base = (supportedType: unknown, labels: Tree = {}) =>
  made({ imageType: 'base', supportedType }, { labels: { 'tars.io/ImageType': 'base', ...labels } })
const dropped = (...ids: readonly number[]) =>
  ids
    .slice(0, -1)
    .map((id, at) => `releases: dropped ${many((ids[at + 1] ?? id) - id, (more) => `r${id + more}`).join(', ')}`)
    .join(' (TI-M6)\n  ')

export const TIMAGES = table`
  allowed {}
    a default of a number | ${made({ default: 7, releases: [aRelease('a')] })} | default: is a number, and a text belongs there; write it in quotes
    an id of a number | ${releases({ ...aRelease('a'), id: 7 })} | releases[0].id: is a number, and a text belongs there; write it in quotes
    supportedType of numbers | ${base([1])} | supportedType[0]: is a number, and a text belongs there; write it in quotes
    an image that is validated | ${created({ imageType: 7 })} | no handler for CREATE of timages v1beta2 on /validating
  allowed
    an image with nothing wrong | ${isMade(image)}
    two releases of one id, in small and capital letters | ${releases(aRelease('a'), aRelease('A'))}
    a default that names none | ${made({ default: 'nobody', releases: [aRelease('a')] })}
    a release that is null | ${releases(null)}
    a release that is a text | ${releases('a')}
    releases that are no list | ${made({ releases: { 0: {} } })}
    releases null | ${made({ releases: null })}
    created at 9999-99-99 | ${createdAt('9999-99-99T99:99:99Z')}
    created at +99:99 | ${createdAt('2026-11-18T12:00:00+99:99')}
    created at 24:00:00 | ${createdAt('2026-11-18T24:00:00Z')}
    created at null | ${createdAt(null)}
    a list for the imageType | ${made({ imageType: ['base'] })}
    supportedType null | ${base(null)}
    labels that are numbers | ${made({}, { labels: { a: 1 } })}
    a regex bomb for the release | ${releases(aRelease(bomb()))}
    a build of wrong types | ${made({ build: { running: 'x' } })}
    1e400 and −0 in what is unknown | ${isMade(having({ more: ['#'] }), '1e400,-0')}
    releases that stand twice, of which the last counts | ${reworded(creationOf(having({ releases: [] })), '"releases":', '"releases":[{}],"releases":', MUTATING)}
    an object being deleted | ${isRemade(aTImage({ going: true }), having({ status: 7 }, { finalizers: [7] }))}
    200 managedFields and a forced server-side apply | ${isForced(MUTATING)}
  patched [{"op":"remove","path":"/metadata/labels/tars.io~1ImageType"}]
  metadata.labels[tars.io/ImageType]: "server" is removed, for it mirrors imageType (TI-M1)
    an imageType in unicode | ${made({ imageType: 'größe' })}
    an imageType of 254 characters | ${made({ imageType: 'a'.repeat(254) })}
  patched [{"op":"add","path":"/releases","value":[{"id":"r0","image":"registry.example/echo:r0","createTime":"2022-01-17T02:22:15Z"},{"id":"r1","image":"registry.example/echo:r1","createTime":"2022-01-17T02:22 … T02:22:15Z"},{"id":"r47","image":"registry.example/echo:r47","createTime":"2022-01-17T02:22:15Z"}]}] (4103 characters)
  releases: 9952 too many, for recordLimit.timageRelease of tars-framework is 48 (TI-M6)
  ${dropped(48, 67, 86, 104, 120, 136, 152, 168, 184, 197)} and 9803 more (TI-M6)
    10,000 releases | ${made({ releases: numbered(10_000) })}
  patched [{"op":"add","path":"/releases","value":[{"id":"r","image":"registry.example/echo:r","createTime":"2022-01-17T02:22:15Z"}]}]
  ${nine((at) => `releases[${at + 1}]: {"createTime":"2022-01-17T02:22:15Z","id":"r","image… is removed, for an earlier release has its id (TI-M4)`)}
  releases: and more, for an earlier release has its id (TI-M4)
    10,000 releases of one id | ${made({ releases: many(10_000, () => aRelease('r')) })}
  patched {}
    10,000 releases without an id | ${made({ releases: many(10_000, () => ({})) })} | [{"op":"add","path":"/releases","value":[{"createTime":"<now>"},{"createTime":"<now>"},{"createTime":"<now>"},{"createTime":"<now>"},{"createTime":"<now>"},{"createTime":"<now>"},{"createTime":"<now>" … ow>"},{"createTime":"<now>"},{"createTime":"<now>"},{"createTime":"<now>"},{"createTime":"<now>"}]}] (231189 characters) | releases: 9952 too many, for recordLimit.timageRelease of tars-framework is 48 (TI-M6)
    an id __proto__ | ${releases(aRelease('__proto__'), aRelease('constructor'), aRelease('__proto__'))} | [{"op":"add","path":"/releases","value":[{"id":"__proto__","image":"registry.example/echo:__proto__","createTime":"2022-01-17T02:22:15Z"},{"id":"constructor","image":"registry.example/echo:constructor","createTime":"2022-01-17T02:22:15Z"}]}] | releases[2]: {"createTime":"2022-01-17T02:22:15Z","id":"__proto__… is removed, for an earlier release has its id (TI-M4)
    labels Supported by hand, with / and ~ in them | ${base(['go'], { 'tars.io/Supported.go': 'x', 'tars.io/Supported.~1/a': 'y', 'tars.io/Supported.': '', 'tars.io/supported.go': 'z' })} | [{"op":"remove","path":"/metadata/labels/tars.io~1Supported.~01~1a"},{"op":"remove","path":"/metadata/labels/tars.io~1Supported."}] | metadata.labels[tars.io/Supported.~1/a]: "y" is removed, for no supportedType of a base image names it (TI-M3)
    labels null | ${made({}, { labels: null })} | [{"op":"add","path":"/metadata/labels","value":{"tars.io/ImageType":"server"}}]
    supportedType with one that there is not | ${base(['go', 'cobol', '__proto__'])} | [{"op":"add","path":"/metadata/labels/tars.io~1Supported.go","value":"go"}]
    supportedType of 10,000 | ${base(many(10_000, () => 'go'))} | [{"op":"add","path":"/metadata/labels/tars.io~1Supported.go","value":"go"}]
  patched [{"op":"add","path":"/releases","value":[{"id":"r0","image":"registry.example/echo:r0","createTime":"2022-01-17T02:22:15Z"},{"id":"r1","image":"registry.example/echo:r1","createTime":"2022-01-17T02:22 … 17T02:22:15Z"},{"id":"r9","image":"registry.example/echo:r9","createTime":"2022-01-17T02:22:15Z"}]}] (873 characters)
  ${nine((at) => `releases[${at + 10}]: {"createTime":"2022-01-17T02:22:15Z","id":"r${at}","ima… is removed, for an earlier release has its id (TI-M4)`)}
  releases: and more, for an earlier release has its id (TI-M4)
    100,000 releases of 10 ids | ${made({ releases: numbered(100_000, 10) })}
  patched [{"op":"add","path":"/releases","value":[{"id":"r0","image":"registry.example/echo:r0","createTime":"2022-01-17T02:22:15Z"},{"id":"r1","image":"registry.example/echo:r1","createTime":"2022-01-17T02:22 … T02:22:15Z"},{"id":"r48","image":"registry.example/echo:r48","createTime":"2022-01-17T02:22:15Z"}]}] (4103 characters)
  releases: 1 too many, for recordLimit.timageRelease of tars-framework is 48 (TI-M6)
  releases: dropped r47 (TI-M6)
    49 releases, of which the last is the default one | ${made({ releases: numbered(49), default: 'r48' })}
  patched [{"op":"add","path":"/releases","value":[{"id":"r0","image":"registry.example/echo:r0","createTime":"2022-01-17T02:22:15Z"},{"id":"r1","image":"registry.example/echo:r1","createTime":"2022-01-17T02:22 … T02:22:15Z"},{"id":"r47","image":"registry.example/echo:r47","createTime":"2022-01-17T02:22:15Z"}]}] (4103 characters)
  releases: 1 too many, for recordLimit.timageRelease of tars-framework is 48 (TI-M6)
  releases: dropped r48 (TI-M6)
    49 releases, and a default that names none | ${made({ releases: numbered(49), default: 'nobody' })}
  patched [{"op":"add","path":"/releases","value":[{}]}]
    a release without anything | ${releases({})} | {"createTime":"<now>"}
    a release without its time, stored twice, at +99:99 and at a time | ${timeless({ ...aRelease('a'), createTime: '2026-11-18T12:00:00+99:99' }, aRelease('a'))} | {"id":"a","image":"a","createTime":"2026-11-18T12:00:00+99:99"}
    a release without its time, where what is stored fits no schema | ${timeless(7)} | {"id":"a","image":"a","createTime":"<now>"}
    a release without its time that is not stored | ${timeless(aRelease('__proto__'))} | {"id":"a","image":"a","createTime":"<now>"}
    created at an empty text | ${createdAt('')} | {"id":"a","image":"registry.example/echo:a","createTime":"<now>"}
    a mark with a lone surrogate, NUL and CRLF | ${isMade(having({ releases: [{ ...aRelease('a'), createTime: '', mark: '#' }] }), '"\\ud800\\u0000\\r\\n"')} | {"id":"a","image":"registry.example/echo:a","createTime":"<now>","mark":"\\ud800\\u0000\\r\\n"}
  patched [{"op":"add","path":"/metadata/labels/tars.io~1ImageType","value":{}}]
  metadata.labels[tars.io/ImageType]: "server" becomes {}, for it mirrors imageType (TI-M1)
    an imageType that there is not | ${made({ imageType: 'virtual' })} | "virtual"
    an empty imageType | ${made({ imageType: '' })} | ""
`
