import { describe, expect, it } from 'vitest'
import { tconfig } from '../../../../webhooks/tars/tconfig/kind.ts'
import { TCONFIG } from '../../../../webhooks/tars/tconfig/schema.ts'
import { aTConfig } from '../../../support/builders/configs.ts'

describe('TConfig meets the API server as tars.md 2.1 says', () => {
  it('at doors of its own, where what the webhook itself writes does not come', () => {
    expect(tconfig.doors).toEqual([
      {
        name: 'mutating-tconfig.tars.io',
        path: '/mutating',
        phase: 'mutate',
        operations: ['CREATE', 'UPDATE'],
        failurePolicy: 'Fail',
        timeoutSeconds: 10,
        sideEffects: 'None',
        exceptOurselves: true, // and no reinvocation (W-8)
      },
      {
        name: 'validating-tconfig.tars.io',
        path: '/validating',
        phase: 'validate',
        operations: ['CREATE', 'UPDATE', 'DELETE'],
        failurePolicy: 'Fail',
        timeoutSeconds: 15,
        sideEffects: 'NoneOnDryRun',
        exceptOurselves: true,
      },
    ])
  })

  it('under the names of tars.md 1.1', () => {
    expect(tconfig.resource).toMatchObject({
      group: 'k8s.tars.io',
      version: 'v1beta2',
      plural: 'tconfigs',
      kind: 'TConfig',
      scope: 'Namespaced',
    })
    expect(tconfig.definition?.shortNames).toEqual(['tc'])
    expect(tconfig.definition?.columns.map(({ name, path }) => name + path)).toEqual([
      'App.app',
      'Server.server',
      'PodSeq.podSeq',
      'ConfigName.configName',
      'Version.version',
      'Activated.activated',
    ])
  })

  it('keeps no content in memory, and writes nothing but marks', () => {
    expect(tconfig.reads).toMatchObject([
      { kept: { metadataOnly: true } },
      { resource: { plural: 'namespaces' }, asks: ['get'] },
    ])
    expect(tconfig.writes).toMatchObject([{ resource: { plural: 'tconfigs' }, verbs: ['patch'] }])
  })
})

describe('what the schema takes (tars.md 3.3)', () => {
  const fits = (more: object) => TCONFIG.is({ ...aTConfig(), ...more })

  it.each([
    { field: 'app', good: ['Demo', 'd', 'A'.repeat(63)], bad: ['', '1a', 'a-b', 'a.b', 'A'.repeat(64)] },
    { field: 'server', good: ['', 'Echo', 'e1'], bad: ['1', 'a b', 'A'.repeat(64)] },
    { field: 'configName', good: ['a', 'a-b_c.conf', 'a'.repeat(63)], bad: ['', '.a', 'a.', 'a/b', 'a'.repeat(64)] },
    { field: 'podSeq', good: ['m', '0', '9', '10', '99'], bad: ['', '01', '100', '-1', 'M', 'm1'] },
    { field: 'version', good: ['20220117113532-77fcbf18', 'a'], bad: ['', '-a', 'A', 'a'.repeat(64)] },
    { field: 'updateTime', good: ['2026-01-01T00:00:00Z', '2026-01-01T08:00:00.5+08:00'], bad: ['2026-01-01', 'now'] },
    { field: 'updatePerson', good: ['', 'x'.repeat(100)], bad: ['x'.repeat(101)] },
    { field: 'updateReason', good: ['', 'x'.repeat(1600)], bad: ['x'.repeat(1601)] },
    { field: 'configContent', good: ['', 'x'.repeat(1_560_000)], bad: ['x'.repeat(1_560_001)] },
  ])('$field', ({ field, good, bad }) => {
    for (const value of good) expect([value, fits({ [field]: value })]).toEqual([value, true])
    for (const value of bad) expect([value, fits({ [field]: value })]).toEqual([value, false])
  })

  it('app, configName and configContent are required, and defaults say the rest', () => {
    const { required, properties = {} } = tconfig.resource.schema
    expect(required).toEqual(['app', 'configName', 'configContent'])
    const defaults = Object.entries(properties).flatMap(([name, field]) =>
      field.default === undefined ? [] : [[name, field.default]],
    )
    expect(Object.fromEntries(defaults)).toEqual({ server: '', podSeq: 'm', activated: true })
  })
})
