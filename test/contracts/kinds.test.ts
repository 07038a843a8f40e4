import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { addressOf } from '../../src/admission/door.ts'
import type { Kind } from '../../src/kind.ts'
import { kinds } from '../../webhooks/index.ts'

const idsOf = ({ mutations, rules }: Kind) => [...mutations, ...rules].map(({ id }) => id)
const ids = kinds.flatMap(idsOf)
const named = kinds.map((kind) => ({ name: kind.resource.kind, kind }))

describe('rule ids', () => {
  it('are unique', () => {
    expect(ids).toEqual([...new Set(ids)])
  })

  it('have the form of the specification', () => {
    expect(ids.filter((id) => !/^(T[DSCTAIREXF]|GW)-[MVW][1-9]\d?$/.test(id))).toEqual([])
  })

  it('of TarsK8S are those that are due, and no others', () => {
    const due: unknown = JSON.parse(readFileSync(new URL('../fixtures/tars-ids.json', import.meta.url), 'utf8'))
    expect(
      kinds
        .filter(({ resource }) => resource.group === 'k8s.tars.io')
        .flatMap(idsOf)
        .sort(),
    ).toEqual(due)
  })

  it('are each named by a test', () => {
    const root = new URL('..', import.meta.url).pathname
    const tests = globSync('**/*.test.ts', { cwd: root }).map((file) => readFileSync(`${root}/${file}`, 'utf8'))
    const unnamed = ids.filter((id) => !tests.some((text) => new RegExp(`\\b${id}\\b`).test(text)))
    expect(unnamed).toEqual([])
  })
})

describe.each(named)('$name is complete', ({ kind }) => {
  it('every door of the kind is a place of its own', () => {
    const places = kind.doors.flatMap((door) =>
      door.operations.map((operation) =>
        addressOf({ path: door.path, resource: kind.resource, subresource: door.subresource, operation }),
      ),
    )
    expect(places).toEqual([...new Set(places)])
  })

  it('every rule and mutation is met at a door', () => {
    const met = (phase: string) => kind.doors.filter((door) => door.phase === phase).flatMap((door) => door.operations)
    const on = { create: ['CREATE'], update: ['UPDATE'], delete: ['DELETE'], write: ['CREATE', 'UPDATE'] }
    const asked = kind.rules.flatMap((rule) => Object.entries(on).find(([name]) => name === rule.on)?.[1] ?? [rule.on])
    expect(met('validate')).toEqual(expect.arrayContaining(asked))
    expect(met('mutate')).toEqual(expect.arrayContaining(kind.mutations.length > 0 ? ['CREATE', 'UPDATE'] : []))
  })

  it('every rule and mutation has its words for the documentation', () => {
    for (const { says } of kind.mutations) expect(says).toMatch(/^\S.*[^.\s]$/)
    for (const { remedy } of kind.rules) expect(remedy).toMatch(/^\S.*[^.\s]$/)
  })
})
