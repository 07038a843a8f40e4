import { describe, expect, it } from 'vitest'
import { answered, CTRL, DEPUTIES, NAMESPACE_CONTROLLER, VALIDATING, wordsOf } from '../../../support/answerer-parts.ts'
import { anApp, aTTree } from '../../../support/builders/tars-trees.ts'
import { GOING } from '../../../support/builders/templates.ts'
import { readerOf } from '../../../support/fakes/readers.ts'
import { answerTo, updateOf } from './validating.ts'

describe('TR-V5 an app stays while servers are of it', () => {
  const server = (name: string, parts: { readonly app?: string; readonly label?: string; readonly going?: true }) => ({
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TServer',
    metadata: {
      name,
      namespace: 'demo',
      labels: { 'tars.io/ServerApp': parts.label ?? parts.app ?? 'Shop' },
      ...(parts.going && GOING),
    },
    spec: { app: parts.app ?? 'Shop' },
  })
  const old = aTTree({ apps: [anApp('Shop'), anApp('Demo')] })
  const without = aTTree({ apps: [anApp('Demo')] })
  const refusedOf = (app: string, name: string) =>
    `apps: "${app}" is used by TServer ${name}; keep the app, or first delete all that kubectl get tserver -l tars.io/ServerApp=${app} lists (TR-V5)`
  const refused = (name: string) => `403 Forbidden: ${refusedOf('Shop', name)}`

  it.each([
    { name: 'an app without servers goes', there: [], answer: 'allowed' },
    { name: 'servers of another app do not count', there: [server('a', { app: 'Demo' })], answer: 'allowed' },
    {
      name: 'of many, one that says so itself is named',
      there: [server('a', {}), server('b', {})],
      answer: refused('a'),
    },
    { name: 'a server being deleted uses nothing', there: [server('a', { going: true })], answer: 'allowed' },
    {
      name: 'a label that spec.app does not confirm is not believed',
      there: [server('a', { app: 'Demo', label: 'Shop' })],
      answer: 'allowed',
    },
    { name: 'an app of other letters is another', there: [server('a', { app: 'shop' })], answer: 'allowed' },
  ])('$name', async ({ there, answer }) => {
    expect(await answerTo(updateOf(old, without), ...there)).toBe(answer)
    expect(await answerTo(updateOf(old, without, { dryRun: true }), ...there)).toBe(answer)
  })

  it('each app that is taken away is asked for', async () => {
    const answer = await answerTo(updateOf(old, aTTree()), server('a', {}), server('b', { app: 'Demo' }))
    expect(answer).toBe(`403 Forbidden: ${refusedOf('Shop', 'a')}; ${refusedOf('Demo', 'b')}`)
  })

  it('nor is one believed that names another app which is taken away', async () => {
    expect(await answerTo(updateOf(old, aTTree()), server('a', { app: 'Demo', label: 'Shop' }))).toBe('allowed')
  })

  const APPS = Array.from({ length: 1_000 }, (_, at) => `App${at}`)
  const MANY = 'list TServer demo {} metadata'
  it.each([
    {
      name: 'the servers are asked for once, and one is read whole for each app that is used',
      there: [
        server('a', { app: 'App7' }),
        server('b', { app: 'App6', label: 'App8' }),
        server('c', { app: 'X' }),
        server('d', { app: 'App9', going: true }),
        server('e', { app: 'App7' }),
        server('f', { app: 'App5' }),
      ],
      names: { App7: 'a', App5: 'f' },
      reads: [`${MANY} of 2`, 'get TServer demo/a', 'get TServer demo/b', `${MANY} of 16`, 'get TServer demo/f'],
    },
    {
      name: 'no more is read when eight are found in use',
      there: APPS.map((app) => server(app, { app })),
      names: Object.fromEntries(APPS.slice(0, 8).map((app) => [app, app])),
      reads: [
        `${MANY} of 2`,
        ...APPS.slice(0, 2).map((app) => `get TServer demo/${app}`),
        `${MANY} of 16`,
        ...APPS.slice(2, 8).map((app) => `get TServer demo/${app}`),
      ],
    },
  ])('of many apps that are taken away $name', async ({ there, names, reads }) => {
    const many = aTTree({ apps: APPS.map((app) => anApp(app)) })
    const live = readerOf(...there)
    const answer = await answered(VALIDATING, updateOf(many, aTTree()), { readers: { cached: readerOf(), live } })
    const causes = Object.entries(names).map(([app, name]) => refusedOf(app, name))
    expect(wordsOf(answer)).toBe(`403 Forbidden: ${causes.join('; ')}`)
    expect(live.reads).toEqual(reads)
  })

  it('of servers that may be large the metadata is asked for, and one is read whole', async () => {
    const live = readerOf(server('a', {}), server('b', {}), server('c', {}))
    await answered(VALIDATING, updateOf(old, without), { readers: { cached: readerOf(), live } })
    expect(live.reads).toEqual(['list TServer demo {"tars.io/ServerApp":"Shop"} metadata of 2', 'get TServer demo/a'])
  })

  it('an app that stood twice and now stands once is not taken away', async () => {
    const both = aTTree({ apps: [anApp('Shop'), anApp('Shop')] })
    expect(await answerTo(updateOf(both, aTTree({ apps: [anApp('Shop')] })), server('a', {}))).toBe('allowed')
  })

  it('nobody is asked when no app goes', async () => {
    const live = readerOf()
    await answered(VALIDATING, updateOf(without, old), { readers: { cached: readerOf(), live } })
    expect(live.reads).toEqual([])
  })

  it('what the cache says of servers counts for nothing (SV-7)', async () => {
    const [empty, full] = [readerOf(), readerOf(server('a', {}))]
    const to = async (readers: { cached: typeof empty; live: typeof empty }) =>
      wordsOf(await answered(VALIDATING, updateOf(old, without), { readers }))
    expect(await to({ cached: full, live: empty })).toBe('allowed')
    expect(await to({ cached: empty, live: full })).toMatch('(TR-V5)')
  })

  it.each([
    { user: CTRL, answer: 'allowed' },
    ...[NAMESPACE_CONTROLLER, ...DEPUTIES].map((user) => ({ user, answer: refused('a') })),
  ])('$user gets: $answer', async ({ user, answer }) => {
    expect(await answerTo(updateOf(old, without, { user }), server('a', {}))).toBe(answer)
  })
})
