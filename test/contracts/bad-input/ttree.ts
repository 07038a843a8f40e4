import type { Tree } from '../../../src/schema.ts'
import { TTREE } from '../../../webhooks/tars/ttree/schema.ts'
import { aBusiness, anApp, aTTree } from '../../support/builders/tars-trees.ts'
import { MUTATING } from '../../support/desk.ts'
import { reviewsOf, withRequest } from '../../support/reviews.ts'
import {
  allowed,
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

const { creationOf, updateOf, deletionOf } = reviewsOf(TTREE)
const many = <T>(count: number, of: (at: number) => T) => Array.from({ length: count }, (_, at) => of(at))
const tree = aTTree({ businesses: [aBusiness('games')], apps: [anApp('Demo', 'games')] })
const isNew = (fields: Tree, metadata: Tree = {}) => validated(creationOf(having(tree, fields, metadata)))
const isMade = (fields: Tree, metadata: Tree = {}) => mutated(creationOf(having(tree, fields, metadata)))
const business = (fields: object) => isNew({ businesses: [{ ...aBusiness('games'), ...fields }] })
const app = (fields: object) => isNew({ apps: [{ ...anApp('Demo'), ...fields }] })
const MANY_APPS = many(10_000, (at) => anApp(`App${at}`))
const MANY_NAMESAKES = many(10_000, (at) => anApp(`App${at % 5_000}`))
const BOMB = `${'a-'.repeat(100_000)} `

export const TTREES: readonly Group[] = [
  allowed({
    'a tree with nothing wrong': isNew({}),
    '10,000 apps': isNew({ apps: MANY_APPS }),
    '10,000 businesses': isNew({ businesses: many(10_000, (at) => aBusiness(`b${at}`)), apps: [] }),
    '10,000 apps and businesses, each app of another, to be mutated': isMade({
      businesses: many(10_000, (at) => aBusiness(`b${at}`)),
      apps: many(10_000, (at) => anApp(`App${at}`, `b${9_999 - at}`)),
    }),
    '10,000 apps of 5,000 names, as before': validated(
      updateOf(aTTree({ apps: MANY_NAMESAKES }), aTTree({ apps: MANY_NAMESAKES.toReversed() })),
    ),
    '10,000 apps that go': validated(updateOf(aTTree({ apps: MANY_APPS }), aTTree())),
    'a business that has the name of an app that has its name': isNew({
      businesses: [aBusiness('Demo')],
      apps: [anApp('Demo', 'Demo')],
    }),
    'apps null, to be mutated': isMade({ apps: null }),
    'apps that are no list, to be mutated': isMade({ apps: { 0: {} } }),
    'an app that is null, to be mutated': isMade({ apps: [null] }),
    'an app that is a text, to be mutated': isMade({ apps: ['Demo'] }),
    'an app without anything, to be mutated': isMade({ apps: [{}] }),
    'businesses null, to be mutated': isMade({ businesses: null }),
    'businessRef null, to be mutated': isMade({ apps: [{ name: 'Demo', businessRef: null }] }),
    'a mark with NUL and CRLF': app({ mark: 'a\0\r\n' }),
    'a business in Chinese': isNew({ businesses: [aBusiness('游戏')], apps: [anApp('Demo', '游戏')] }),
    'apps that stand twice, of which the last counts': raw(
      JSON.stringify(creationOf(tree)).replace('"apps":', '"apps":7,"apps":'),
      MUTATING,
    ),
    'the deletion of another tree': validated(deletionOf(having(tree, {}, { name: 'other' }))),
    'an object being deleted': validated(
      updateOf(aTTree({ going: true }), having(aTTree(), { status: 7 }, { finalizers: [7] })),
    ),
    '200 managedFields and a forced server-side apply': validated(
      withRequest(creationOf(having(tree, {}, { managedFields: MANAGED })), { options: FORCED }),
    ),
    'show 0': business({ show: 0 }),
    'show 9007199254740993': inWords(creationOf(having(tree, { businesses: [{ ...aBusiness('games'), show: '#' }] })), {
      '#': '9007199254740993',
    }),
    'weight 6': business({ weight: 6 }),
    'weight −0': inWords(creationOf(having(tree, { businesses: [{ ...aBusiness('games'), weight: '#' }] })), {
      '#': '-0',
    }),
    'entered at 9999-99-99': app({ createTime: '9999-99-99T99:99:99Z' }),
    'entered at 24:00:00': app({ createTime: '2026-11-18T24:00:00Z' }),
    'entered at +99:99': app({ createTime: '2026-11-18T12:00:00+99:99' }),
    'entered with words behind the time': app({ createTime: '2026-11-18T12:00:00Ztea' }),
    'entered by 101 characters': app({ createPerson: 'x'.repeat(101) }),
    'an app in unicode': app({ name: 'Größe' }),
    'an app with a dot behind': app({ name: 'Demo.' }),
    'an app of 254 characters': app({ name: 'a'.repeat(254) }),
    'a regex bomb for an app': app({ name: BOMB }),
  }),
  patched(
    {
      '10,000 apps of no business, to be mutated': isMade({ apps: many(10_000, (at) => anApp(`App${at}`, 'nobody')) }),
    },
    '[{"op":"add","path":"/apps","value":[{"name":"App0","businessRef":""},{"name":"App1","businessRef":""},{"name":"App2","businessRef":""},{"name":"App3","businessRef":""},{"name":"App4","businessRef":"" … pp9997","businessRef":""},{"name":"App9998","businessRef":""},{"name":"App9999","businessRef":""}]}] (358929 characters)',
  ),
  forbidden(
    'apps: "Demo" is used by TServer demo-idle; keep the app, or first delete all that kubectl get tserver -l tars.io/ServerApp=Demo lists (TR-V5)',
    {
      'an app that goes, and has servers': validated(updateOf(tree, having(tree, { apps: [] }))),
    },
  ),
  invalid(
    'apps[0].businessRef: business "B1" does not exist; add it to businesses, name another, or leave the field empty (TR-V4); apps[1].businessRef: business "A1" does not exist; add it to businesses, name another, or leave the field empty (TR-V4)',
    { 'apps that name each other as business': isNew({ apps: [anApp('A1', 'B1'), anApp('B1', 'A1')] }) },
  ),
  patched(
    {
      'apps that name each other as business, to be mutated': isMade({ apps: [anApp('A1', 'B1'), anApp('B1', 'A1')] }),
    },
    [
      {
        op: 'add',
        path: '/apps',
        value: [
          { name: 'A1', businessRef: '' },
          { name: 'B1', businessRef: '' },
        ],
      },
    ],
  ),
  patched(
    {
      'an app of __proto__, to be mutated': isMade({ apps: [anApp('Demo', '__proto__')] }),
      'no businesses, to be mutated': isMade({ businesses: undefined }),
    },
    [{ op: 'add', path: '/apps', value: [{ name: 'Demo', businessRef: '' }] }],
  ),
  invalid(
    'apps[0].businessRef: business "constructor" does not exist; add it to businesses, name another, or leave the field empty (TR-V4)',
    { 'an app of constructor': isNew({ apps: [anApp('Demo', 'constructor')] }) },
  ),
  forbidden(
    'metadata.name: only one TTree named "tars-tree" is allowed in a namespace; give it that name, or edit the one that is there (TR-V1)',
    {
      'another name': isNew({}, { name: 'other-tree' }),
      'a name in capitals': isNew({}, { name: 'Tars-Tree' }),
      'a name with a dot behind': isNew({}, { name: 'tars-tree.' }),
      'a name of 254 characters': isNew({}, { name: 'a'.repeat(254) }),
    },
  ),
  invalid(
    'apps[1].name: "Demo" duplicates apps[0]; list each app once (TR-V3); apps[2].name: "Demo" duplicates apps[0]; list each app once (TR-V3); apps[3].name: "Demo" duplicates apps[0]; list each app once (T … [101].name: there are more, of which this is the first; mend those before it, then try again (TR-V3) (7096 characters)',
    { '10,000 apps of one name': isNew({ apps: many(10_000, () => anApp('Demo')) }) },
  ),
  invalid(
    'businesses[1].name: "games" duplicates businesses[0]; give each business a name of its own (TR-V2); businesses[2].name: "games" duplicates businesses[0]; give each business a name of its own (TR-V2);  … [101].name: there are more, of which this is the first; mend those before it, then try again (TR-V2) (10202 characters)',
    { '10,000 businesses of one name': isNew({ businesses: many(10_000, () => aBusiness('games')) }) },
  ),
  invalid(
    'apps[0].businessRef: business "nobody" does not exist; add it to businesses, name another, or leave the field empty (TR-V4); apps[1].businessRef: business "nobody" does not exist; add it to businesses … usinessRef: there are more, of which this is the first; mend those before it, then try again (TR-V4) (12701 characters)',
    { '10,000 apps of no business': isNew({ apps: many(10_000, (at) => anApp(`App${at}`, 'nobody')) }) },
  ),
  invalid(
    'apps[0].businessRef: business "games" does not exist; add it to businesses, name another, or leave the field empty (TR-V4)',
    {
      'a business in unicode': business({ name: 'größe' }),
      'a business of 33 characters': business({ name: 'x'.repeat(33) }),
      'a business with a lone surrogate': inWords(creationOf(having(tree, { businesses: [aBusiness('#')] })), {
        '#': '"a\\ud800b"',
      }),
      'a regex bomb for a business': business({ name: BOMB }),
    },
  ),
  forbidden(
    'metadata.name: TTree demo/tars-tree: tars-tree cannot be deleted; edit it, or delete its namespace (TR-V6)',
    {
      'the deletion of the tree': validated(deletionOf(tree)),
    },
  ),
  invalid(
    'apps[0].businessRef: business "a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a … -a-a-a-a-a-a- " does not exist; add it to businesses, name another, or leave the field empty (TR-V4) (2024 characters)',
    { 'a regex bomb for the business of an app': app({ businessRef: BOMB }) },
  ),
  forbidden(
    'metadata.name: TTree demo/tars-tree: tars-tree cannot be deleted; edit it, or delete its namespace (TR-V6)\napps: of another shape than this tars-admission knows, so the object is not checked (CV-8)',
    { 'the deletion of what fits no schema': validated(deletionOf(having(tree, { apps: 7 }))) },
  ),
  ...unchecked({
    'metadata.name': { 'no name yet, as with generateName': isNew({}, { name: undefined, generateName: 'tars-' }) },
    apps: { 'apps null': isNew({ apps: null }) },
    businesses: { 'neither apps nor businesses': isNew({ apps: undefined, businesses: undefined }) },
    'businesses[0].show': {
      'show 1.5': business({ show: 1.5 }),
      'show "1"': business({ show: '1' }),
      'show 1e400': inWords(creationOf(having(tree, { businesses: [{ ...aBusiness('games'), show: '#' }] })), {
        '#': '1e400',
      }),
    },
    'apps[0].createTime': { 'entered at a list': app({ createTime: [] }) },
    'metadata.labels.a': { 'labels that are numbers': isNew({}, { labels: { a: 1 } }) },
  }),
  allowed(
    {
      'a status-only update': validated(updateOf(tree, tree, { subResource: 'status' })),
    },
    'no handler for UPDATE of ttrees/status v1beta2 on /validating',
  ),
]
