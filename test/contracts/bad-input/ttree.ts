import { TTREE } from '../../../webhooks/tars/ttree/schema.ts'
import { MUTATING } from '../../support/answerer-parts.ts'
import { aBusiness, anApp, aTTree } from '../../support/builders/tars-trees.ts'
import { asking, bomb, many, nine, over, reworded, STATUS, table } from './entry.ts'

const tree = aTTree({ businesses: [aBusiness('games')], apps: [anApp('Demo', 'games')] })
const { creationOf, having, isNew, isChanged, isGone, created, made, isForced } = asking(TTREE, tree)
const business = (fields: object, word?: string) =>
  isNew(having({ businesses: [{ ...aBusiness('games'), ...fields }] }), word)
const app = (fields: object) => created({ apps: [{ ...anApp('Demo'), ...fields }] })
const BUSINESSES = many(10_000, (at) => aBusiness(`b${at}`))
const APPS = many(10_000, (at) => anApp(`App${at}`))
const HOMELESS = many(10_000, (at) => anApp(`App${at}`, 'nobody'))
const NAMESAKES = many(10_000, (at) => anApp(`App${at % 5_000}`))

export const TTREES = table`
  allowed
    a tree with nothing wrong | ${created({})}
    10,000 apps | ${created({ apps: APPS })}
    10,000 businesses | ${created({ businesses: BUSINESSES, apps: [] })}
    10,000 apps and businesses, each app of another, to be mutated | ${made({ businesses: BUSINESSES, apps: many(10_000, (at) => anApp(`App${at}`, `b${9_999 - at}`)) })}
    10,000 apps of 5,000 names, as before | ${isChanged(aTTree({ apps: NAMESAKES }), aTTree({ apps: NAMESAKES.toReversed() }))}
    10,000 apps that go | ${isChanged(aTTree({ apps: APPS }), aTTree())}
    a business that has the name of an app that has its name | ${created({ businesses: [aBusiness('Demo')], apps: [anApp('Demo', 'Demo')] })}
    apps null, to be mutated | ${made({ apps: null })}
    apps that are no list, to be mutated | ${made({ apps: { 0: {} } })}
    an app that is null, to be mutated | ${made({ apps: [null] })}
    an app that is a text, to be mutated | ${made({ apps: ['Demo'] })}
    an app without anything, to be mutated | ${made({ apps: [{}] })}
    businesses null, to be mutated | ${made({ businesses: null })}
    businessRef null, to be mutated | ${made({ apps: [{ name: 'Demo', businessRef: null }] })}
    a mark with NUL and CRLF | ${app({ mark: 'a\0\r\n' })}
    a business in Chinese | ${created({ businesses: [aBusiness('游戏')], apps: [anApp('Demo', '游戏')] })}
    apps that stand twice, of which the last counts | ${reworded(creationOf(tree), '"apps":', '"apps":7,"apps":', MUTATING)}
    the deletion of another tree | ${isGone(having({}, { name: 'other' }))}
    an object being deleted | ${isChanged(aTTree({ going: true }), over(aTTree(), { status: 7 }, { finalizers: [7] }))}
    200 managedFields and a forced server-side apply | ${isForced()}
    show 0 | ${business({ show: 0 })}
    show 9007199254740993 | ${business({ show: '#' }, '9007199254740993')}
    weight 6 | ${business({ weight: 6 })}
    weight −0 | ${business({ weight: '#' }, '-0')}
    entered at 9999-99-99 | ${app({ createTime: '9999-99-99T99:99:99Z' })}
    entered at 24:00:00 | ${app({ createTime: '2026-11-18T24:00:00Z' })}
    entered at +99:99 | ${app({ createTime: '2026-11-18T12:00:00+99:99' })}
    entered with words behind the time | ${app({ createTime: '2026-11-18T12:00:00Ztea' })}
    entered by 101 characters | ${app({ createPerson: 'x'.repeat(101) })}
    an app in unicode | ${app({ name: 'Größe' })}
    an app with a dot behind | ${app({ name: 'Demo.' })}
    an app of 254 characters | ${app({ name: 'a'.repeat(254) })}
    a regex bomb for an app | ${app({ name: bomb(' ') })}
  patched [{"op":"add","path":"/apps","value":[{"name":"App0","businessRef":""},{"name":"App1","businessRef":""},{"name":"App2","businessRef":""},{"name":"App3","businessRef":""},{"name":"App4","businessRef":"" … pp9997","businessRef":""},{"name":"App9998","businessRef":""},{"name":"App9999","businessRef":""}]}] (358929 characters)
  ${nine((at) => `apps[${at}].businessRef: "nobody" becomes "", for no business has that name (TR-M1)`)}
  apps: and more, for no business has that name (TR-M1)
    10,000 apps of no business, to be mutated | ${made({ apps: HOMELESS })}
  Forbidden {}
    an app that goes, and has servers | ${isChanged(tree, having({ apps: [] }))} | apps: "Demo" is used by TServer demo-idle; keep the app, or first delete all that kubectl get tserver -l tars.io/ServerApp=Demo lists (TR-V5)
    the deletion of the tree | ${isGone(tree)} | metadata.name: TTree demo/tars-tree: tars-tree cannot be deleted; edit it, or delete its namespace (TR-V6)
    the deletion of what fits no schema | ${isGone(having({ apps: 7 }))} | metadata.name: TTree demo/tars-tree: tars-tree cannot be deleted; edit it, or delete its namespace (TR-V6) | apps: of another shape than this tars-admission knows, so the object is not checked (CV-8)
  Invalid {}
    apps that name each other as business | ${created({ apps: [anApp('A1', 'B1'), anApp('B1', 'A1')] })} | apps[0].businessRef: business "B1" does not exist; add it to businesses, name another, or leave the field empty (TR-V4); apps[1].businessRef: business "A1" does not exist; add it to businesses, name another, or leave the field empty (TR-V4)
    10,000 apps of one name | ${created({ apps: many(10_000, () => anApp('Demo')) })} | apps[1].name: "Demo" duplicates apps[0]; list each app once (TR-V3); apps[2].name: "Demo" duplicates apps[0]; list each app once (TR-V3); apps[3].name: "Demo" duplicates apps[0]; list each app once (T … [101].name: there are more, of which this is the first; mend those before it, then try again (TR-V3) (7096 characters)
    10,000 businesses of one name | ${created({ businesses: many(10_000, () => aBusiness('games')) })} | businesses[1].name: "games" duplicates businesses[0]; give each business a name of its own (TR-V2); businesses[2].name: "games" duplicates businesses[0]; give each business a name of its own (TR-V2);  … [101].name: there are more, of which this is the first; mend those before it, then try again (TR-V2) (10202 characters)
    10,000 apps of no business | ${created({ apps: HOMELESS })} | apps[0].businessRef: business "nobody" does not exist; add it to businesses, name another, or leave the field empty (TR-V4); apps[1].businessRef: business "nobody" does not exist; add it to businesses … usinessRef: there are more, of which this is the first; mend those before it, then try again (TR-V4) (12701 characters)
    a regex bomb for the business of an app | ${app({ businessRef: bomb(' ') })} | apps[0].businessRef: business "a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a-a … -a-a-a-a-a-a- " does not exist; add it to businesses, name another, or leave the field empty (TR-V4) (2024 characters)
  patched {}
    apps that name each other as business, to be mutated | ${made({ apps: [anApp('A1', 'B1'), anApp('B1', 'A1')] })} | [{"op":"add","path":"/apps","value":[{"name":"A1","businessRef":""},{"name":"B1","businessRef":""}]}] | apps[0].businessRef: "B1" becomes "", for no business has that name (TR-M1) | apps[1].businessRef: "A1" becomes "", for no business has that name (TR-M1)
  patched [{"op":"add","path":"/apps","value":[{"name":"Demo","businessRef":""}]}]
  apps[0].businessRef: "{}" becomes "", for no business has that name (TR-M1)
    an app of __proto__, to be mutated | ${made({ apps: [anApp('Demo', '__proto__')] })} | __proto__
    no businesses, to be mutated | ${made({ businesses: undefined })} | games
  Invalid apps[0].businessRef: business "{}" does not exist; add it to businesses, name another, or leave the field empty (TR-V4)
    an app of constructor | ${created({ apps: [anApp('Demo', 'constructor')] })} | constructor
    a business in unicode | ${business({ name: 'größe' })} | games
    a business of 33 characters | ${business({ name: 'x'.repeat(33) })} | games
    a business with a lone surrogate | ${business({ name: '#' }, '"a\\ud800b"')} | games
    a regex bomb for a business | ${business({ name: bomb(' ') })} | games
  Forbidden metadata.name: only one TTree named "tars-tree" is allowed in a namespace; give it that name, or edit the one that is there (TR-V1)
    another name | ${created({}, { name: 'other-tree' })}
    a name in capitals | ${created({}, { name: 'Tars-Tree' })}
    a name with a dot behind | ${created({}, { name: 'tars-tree.' })}
    a name of 254 characters | ${created({}, { name: 'a'.repeat(254) })}
  allowed {}: of another shape than this tars-admission knows, so the object is not checked (CV-8)
    no name yet, as with generateName | ${created({}, { name: undefined, generateName: 'tars-' })} | metadata.name
    apps null | ${created({ apps: null })} | apps
    neither apps nor businesses | ${created({ apps: undefined, businesses: undefined })} | businesses
    show 1.5 | ${business({ show: 1.5 })} | businesses[0].show
    show "1" | ${business({ show: '1' })} | businesses[0].show
    show 1e400 | ${business({ show: '#' }, '1e400')} | businesses[0].show
    entered at a list | ${app({ createTime: [] })} | apps[0].createTime
    labels that are numbers | ${created({}, { labels: { a: 1 } })} | metadata.labels[a]
  allowed {}
    a status-only update | ${isChanged(tree, tree, STATUS)} | no handler for UPDATE of ttrees/status v1beta2 on /validating
`
