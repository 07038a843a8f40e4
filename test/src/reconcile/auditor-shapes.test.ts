import { describe, expect, it } from 'vitest'
import { TCONFIG } from '../../../webhooks/tars/tconfig/schema.ts'
import { TENDPOINT } from '../../../webhooks/tars/tendpoint/schema.ts'
import { audited } from '../../support/auditing.ts'
import { aTConfig } from '../../support/builders/configs.ts'
import { aTDeploy } from '../../support/builders/deploys.ts'
import { aTFrameworkConfig } from '../../support/builders/framework-configs.ts'
import { aTImage } from '../../support/builders/images.ts'
import { aTServer } from '../../support/builders/servers.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { admittingCluster } from '../../support/clusters.ts'
import { settled } from '../../support/turns.ts'

describe('WR-8, CV-8 the auditor looks at the shape of all kinds', () => {
  it('those too that have no rule that refuses', async () => {
    const { first } = await audited([
      { ...aTDeploy(), apply: 'none' },
      { ...aTFrameworkConfig(), recordLimit: [] },
    ])
    expect(first.counts).toEqual({ 'CV-8': 2 })
  })

  it('and what authors and the worker write fits', async () => {
    const cluster = admittingCluster(aTTemplate(), aTServer(), aTDeploy(), aTFrameworkConfig(), aTImage())
    for (const name of ['tserver', 'ttree', 'tendpoint', 'texitedrecord']) await settled(name, cluster)
    expect(await cluster.list(TENDPOINT, { namespace: 'demo' })).toHaveLength(1)
    expect((await audited(cluster)).first.counts).toEqual({})
  })
})

describe('WR-8 the auditor compares labels with the fields that they repeat', () => {
  describe.each([
    { name: 'lying', labels: { 'tars.io/Activated': 'false' } },
    { name: 'missing', labels: undefined },
  ])('finds a version in force with a $name label,', ({ labels }) => {
    const stored = aTConfig({ name: 'v2' })
    const { 'tars.io/Activated': _, ...others } = stored.metadata.labels ?? {}
    const v2 = { ...stored, metadata: { ...stored.metadata, labels: { ...others, ...labels } } }

    it('and says what the next write does', async () => {
      const { first } = await audited([aTConfig(), v2])
      expect(first.counts).toEqual({ 'TC-M3': 1 })
      expect(first.notices.map(({ message }) => message)).toEqual([
        'metadata.labels[tars.io/Activated]: the label does not repeat activated, so look-ups by label go wrong; ' +
          'change any annotation of it, and the webhook sets the label (TC-M3)',
      ])
    })

    it('and TC-R3 ends the other one after that write', async () => {
      const cluster = admittingCluster(aTConfig(), v2)
      expect((await settled('tconfig', cluster)).writes).toEqual([])
      await cluster.merge(TCONFIG, { namespace: 'demo', name: 'v2' }, { metadata: { annotations: { seen: 'yes' } } })
      expect((await settled('tconfig', cluster)).writes).toEqual(['merge TConfig'])
      const configs = await cluster.list(TCONFIG, { namespace: 'demo' })
      expect(configs.filter(({ activated }) => activated)).toHaveLength(1)
    })
  })

  it('finds one that stands for a field that is no label value', async () => {
    expect(
      (await audited([aTConfig({ configName: 'a b', labels: { 'tars.io/ConfigName': 'a' } })])).first.counts,
    ).toEqual({
      'TC-M4': 1,
    })
  })
})
