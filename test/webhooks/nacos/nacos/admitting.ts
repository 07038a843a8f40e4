import { expect, it } from 'vitest'
import type { Built } from '../../../../src/cluster/port.ts'
import type { Tree } from '../../../../src/schema.ts'
import { settingsOf } from '../../../../src/setting.ts'
import { NACOS } from '../../../../webhooks/nacos/nacos/schema.ts'
import { answered, MUTATING, VALIDATING, wordsOf } from '../../../support/answerer-parts.ts'
import { readersOf } from '../../../support/fakes/readers.ts'
import { reviewsOf } from '../../../support/reviews.ts'

export const { creationOf, updateOf, deletionOf } = reviewsOf(NACOS)

/** As admission leaves it, with two sources that exist. */
export function nacosWith(spec: Tree = {}, metadata: Tree = {}): Built & Tree {
  return {
    apiVersion: 'nacos.io/v1alpha1',
    kind: 'Nacos',
    metadata: { namespace: 'demo', name: 'n', ...metadata },
    spec: { type: 'cluster', image: 'nacos/nacos-server:v2.4.3', replicas: 3, ...spec },
  }
}
export const BOTH = { internalConfigRef: { name: 'ops', key: 'i' }, userConfigRef: { name: 'team', key: 'u' } }

export function aConfigMap(name: string, data?: Tree, metadata: Tree = {}): Built & Tree {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'demo', name, ...metadata } }
  return data === undefined ? object : { ...object, data }
}
export const OPS = aConfigMap('ops', { i: 'server.port=8848\n' })
export const TEAM = aConfigMap('team', { u: 'a=1\n' })
export const SOURCES = [OPS, TEAM]

export interface Around {
  readonly there?: readonly Built[]
  readonly settings?: Tree
  readonly user?: string
}
export async function wordsTo(body: unknown, { there = SOURCES, settings = {} }: Around = {}): Promise<string> {
  const parts = { readers: readersOf(...there), settings: settingsOf(settings) }
  return wordsOf(await answered(VALIDATING, body, parts))
}
export const onCreate = (object: unknown, around?: Around) => wordsTo(creationOf(object), around)
export const onUpdate = (prev: unknown, next: unknown, around?: Around) => wordsTo(updateOf(prev, next), around)

/** What the mutating webhook makes of an object. */
export async function mutated(next: unknown, prev?: unknown): Promise<unknown> {
  const body = prev === undefined ? creationOf(next) : updateOf(prev, next)
  return (await answered(MUTATING, body, { readers: readersOf() })).object
}

export const refused = (...sentences: readonly string[]) => `422 Invalid: ${sentences.join('; ')}`
export const warned = (...sentences: readonly string[]) =>
  ['allowed', ...sentences.map((sentence) => `warning: ${sentence}`)].join('\n')

interface Case extends Around {
  readonly name: string
  readonly spec?: Tree
  readonly metadata?: Tree
  readonly says?: string
}
/** Of a new Nacos, of one that becomes so, and never of one that was so already (CV-8). */
export function itSays(cases: readonly Case[], stood = 'allowed') {
  it.each(cases)('$name', async ({ spec, metadata, says = 'allowed', ...around }) => {
    const object = nacosWith(spec, metadata)
    expect(await onCreate(object, around)).toBe(says)
    expect(await onUpdate(object, { ...object, status: {} }, around)).toBe(says === 'allowed' ? says : stood)
  })
}
export function itSaysOfOld(cases: readonly Case[]) {
  itSays(cases)
  it.each(cases)('$name: of an old one as well', async ({ spec, metadata, says = 'allowed', ...around }) => {
    expect(await onUpdate(nacosWith(), nacosWith(spec, metadata), around)).toBe(says)
  })
}
