import { describe, expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import { answered, VALIDATING, wordsOf } from '../../../support/answerer-parts.ts'
import { aTFrameworkConfig } from '../../../support/builders/framework-configs.ts'
import { aMount, aRelease, aServant, aTServer, SOURCES } from '../../../support/builders/servers.ts'
import { readersOf } from '../../../support/fakes/readers.ts'
import {
  answerTo,
  base,
  creationOf,
  deletionOf,
  itSays,
  NONE,
  onUpdate,
  refused,
  type Server,
  servants,
  servantsOn,
  there,
  updateOf,
} from './validating.ts'

const onCreate = (object: unknown) => answerTo(creationOf(object))

describe('TS-V20 bounds of replicas are legal, also behind a mutator that was bypassed', () => {
  const MIN = 'metadata.annotations[tars.io/MinReplicas]'
  const remedy = 'correct or remove the annotation (TS-V20)'
  const bounds = (min: string, max: string): Server => ({
    annotations: { 'tars.io/MinReplicas': min, 'tars.io/MaxReplicas': max },
  })
  itSays([
    { name: 'legal ones pass', server: bounds('0', '99'), answer: 'allowed' },
    {
      name: 'one that is no number',
      server: bounds('007', '9'),
      answer: refused(`${MIN}: must be an integer 0..99, not "007"; ${remedy}`),
    },
    {
      name: 'two that contradict each other',
      server: bounds('5', '4'),
      answer: refused(`${MIN}: must not be greater than tars.io/MaxReplicas, but 5 > 4; ${remedy}`),
    },
  ])

  it('others that contradict each other are refused, though the old ones did too', async () => {
    expect(await onUpdate(aTServer(bounds('5', '4')), aTServer(bounds('5', '3')))).toMatch('but 5 > 3;')
  })
})

describe('TS-V21 a release of a tars server has a node image', () => {
  const { nodeImage: _, ...release } = aRelease()
  const answer = refused(
    'spec.release.nodeImage: not set and TFrameworkConfig demo/tars-framework has no nodeImage.image; set it, or create that TFrameworkConfig first (TS-V21)',
  )
  itSays([
    { name: 'its own', server: { release: aRelease() }, answer: 'allowed' },
    { name: 'none', server: { release }, answer },
    { name: 'no release needs one', server: {}, answer: 'allowed' },
    { name: 'nor any other server', server: { normal: [], release }, answer: 'allowed' },
  ])

  it('or that of the framework', async () => {
    const answerTo = (config: Built) =>
      answered(VALIDATING, creationOf(aTServer({ release })), { readers: readersOf(base, config) })
    expect(wordsOf(await answerTo(aTFrameworkConfig()))).toBe('allowed')
    expect(wordsOf(await answerTo(aTFrameworkConfig({ nodeImage: {} })))).toBe(answer)
  })
})

describe('TS-V25 keys of labels that pods look for are legal', () => {
  const remedy = 'use shorter names, or None where it is the affinity that needs the key (TS-V25)'
  const long = (path: string, key: string) =>
    `${path}: label key "${key}" is longer than 63 characters behind the /; ${remedy}`
  const AT = 'spec.k8s.abilityAffinity'
  /** `ability.demo.` takes 13 characters. */
  const app = 'A'.repeat(50)
  const server = ({ affinity, ...wishes }: Server & { affinity?: string }) =>
    aTServer({ ...wishes, k8s: { ...wishes.k8s, ...(affinity && { abilityAffinity: affinity }) } })
  const key = (name: string) => `tars.io/ability.demo.${name}`

  it.each([
    { affinity: 'AppRequired', app, answer: 'allowed' },
    { affinity: 'AppRequired', app: `${app}A`, answer: long(AT, key(`${app}A`)) },
    { affinity: 'ServerRequired', app: 'A'.repeat(47), answer: 'allowed' },
    { affinity: 'ServerRequired', app: 'A'.repeat(48), answer: long(AT, key(`${'A'.repeat(48)}-Ec`)) },
    { affinity: 'AppOrServerPreferred', app: 'A'.repeat(48), answer: long(AT, key(`${'A'.repeat(48)}-Ec`)) },
    { affinity: undefined, app: 'A'.repeat(48), answer: long(AT, key(`${'A'.repeat(48)}-Ec`)) },
    { affinity: 'None', app: 'A'.repeat(48), answer: 'allowed' },
  ])('$affinity of $app', async ({ affinity, app, answer }) => {
    const object = server({ app, server: 'Ec', ...(affinity && { affinity }) })
    const [words] = (await onCreate(object)).split('\n') // TS-W1 warns of some
    expect(words).toBe(answer === 'allowed' ? answer : refused(answer))
  })

  it('a daemonSet needs that of the node alone', async () => {
    expect(await onCreate(server({ app: `${app}A`, server: 'Ec', k8s: { daemonSet: true } }))).toBe('allowed')
  })

  it.each([58, 59])('a namespace of %s characters', async (length) => {
    const namespace = 'n'.repeat(length)
    const { request } = creationOf(aTServer({ namespace, normal: [], k8s: NONE }))
    const answer = await answerTo({
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      request: { ...Object(request), namespace },
    })
    expect(answer).toBe(length === 58 ? 'allowed' : refused(long('metadata.namespace', `tars.io/node.${namespace}`)))
  })

  it('an old one may be edited otherwise, and not be given another that is too long (CV-8)', async () => {
    const old = server({ app: `${app}A`, server: 'Ec', affinity: 'AppRequired' })
    expect(
      await onUpdate(old, server({ app: `${app}A`, server: 'Ec', affinity: 'AppRequired', k8s: { hostIPC: true } })),
    ).toBe('allowed')
    expect(await onUpdate(old, server({ app: `${app}A`, server: 'Ec', affinity: 'ServerRequired' }))).toMatch(
      '(TS-V25)',
    )
  })
})

describe('MP-20f a daemonSet ignores spec.k8s.nodeSelector', () => {
  const selected = (daemonSet: boolean, ...keys: readonly string[]) => ({
    k8s: { daemonSet, nodeSelector: keys.map((key) => ({ key, operator: 'Exists' })) },
  })
  const answer =
    'allowed\nwarning: spec.k8s.nodeSelector: has no effect when spec.k8s.daemonSet is true; remove it (MP-20f)'
  itSays([
    { name: 'with a selector', server: selected(true, 'zone'), answer },
    { name: 'without one', server: selected(true), answer: 'allowed' },
    { name: 'replicas follow it', server: selected(false, 'zone'), answer: 'allowed' },
  ])

  it('is told again of another selector', async () => {
    expect(await onUpdate(aTServer(selected(true, 'zone')), aTServer(selected(true, 'zone', 'disk')))).toBe(answer)
  })

  it('the profile upstream applies it, and says nothing', async () => {
    expect(await answerTo(creationOf(aTServer(selected(true, 'zone'))), there, 'upstream')).toBe('allowed')
  })
})

describe('TS-V1…26 together', () => {
  it('all that is wrong is told at once (W-13), each cause with its path (SV-9)', async () => {
    const object = aTServer({ name: 'echo', template: 'gone', servants: servants('NodeObj') })
    const { response } = await answered(VALIDATING, creationOf(object), { readers: readersOf() })
    expect(response.status).toMatchObject({
      code: 422,
      reason: 'Invalid',
      details: {
        group: 'k8s.tars.io',
        kind: 'TServer',
        name: 'echo',
        causes: ['metadata.name', 'spec.tars.servants[0].name', 'spec.tars.template'].map((field) => ({
          reason: 'FieldValueInvalid',
          field,
        })),
      },
    })
  })

  it('of a server being deleted nothing is asked when its finalizers go, and everything otherwise (W-7)', async () => {
    const old = aTServer({ going: true, finalizers: ['x'] })
    expect(await answerTo(updateOf(old, aTServer({ going: true })), readersOf())).toBe('allowed')
    expect(await answerTo(updateOf(old, aTServer({ going: true, app: 'Other' })), readersOf())).toMatch('(TS-V1)')
  })

  it('a delete meets no door', async () => {
    expect(await answerTo(deletionOf(aTServer()))).toBe(
      'allowed\nwarning: no handler for DELETE of tservers v1beta2 on /validating',
    )
  })

  it.each([
    ['a servant without a name', aTServer({ servants: [{ port: 1 }] }), 'spec.tars.servants[0].name'],
    ['a port in words', aTServer({ servants: [aServant({ port: 'http' })] }), 'spec.tars.servants[0].port'],
  ])('%s is the schema’s business: allowed with a warning (CV-8)', async (_, object, path) => {
    expect(await onCreate(object)).toMatch(`allowed\nwarning: ${path}: of another shape`)
  })

  const EXCESSES = [
    ['an image with a space', { release: aRelease({ image: 'a b' }) }],
    ['65 servants', { servants: servantsOn(...Array(65).keys()) }],
    [
      '65 mounts',
      { k8s: { mounts: Array.from({ length: 65 }, (_, at) => aMount({ name: `m${at}`, mountPath: `/${at}` })) } },
    ],
    ['two sources in one mount', { k8s: { mounts: [aMount({ source: { emptyDir: {}, tLocalVolume: {} } })] } }],
    ['an amount that is none', { k8s: { resources: { limits: { cpu: 'one' } } } }],
  ] as const
  it.each(EXCESSES)('%s is the schema’s business (CV-8)', async (_, wishes) => {
    expect(await onCreate(aTServer(wishes))).toBe('allowed')
  })
  it.each(EXCESSES)('%s does not switch the rules off (CV-8)', async (_, wishes) => {
    expect(await onCreate(aTServer({ ...wishes, name: 'echo', template: 'gone' }))).toMatch(
      /^422 Invalid: metadata.name: .* \(TS-V6\); spec.tars.template: .* \(TS-V15\)$/,
    )
  })

  it.each([1, '500m', '1.5Gi', '1e3', '.5'])('a processor time of %s passes', async (cpu) => {
    expect(await onCreate(aTServer({ k8s: { resources: { limits: { cpu } } } }))).toBe('allowed')
  })

  it.each(Object.keys(SOURCES))('a mount from %s passes', async (of) => {
    const [source] = Object.entries(SOURCES).filter(([name]) => name === of)
    expect(
      await onCreate(aTServer({ k8s: { mounts: [aMount({ source: Object.fromEntries(source ? [source] : []) })] } })),
    ).toBe('allowed')
  })
})
