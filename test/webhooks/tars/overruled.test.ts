import { describe, expect, it } from 'vitest'
import type { Built } from '../../../src/cluster/port.ts'
import { TCONFIG } from '../../../webhooks/tars/tconfig/schema.ts'
import { TDEPLOY } from '../../../webhooks/tars/tdeploy/schema.ts'
import { TIMAGE } from '../../../webhooks/tars/timage/schema.ts'
import { TSERVER } from '../../../webhooks/tars/tserver/schema.ts'
import { TTEMPLATE } from '../../../webhooks/tars/ttemplate/schema.ts'
import { answered, MUTATING } from '../../support/answerer-parts.ts'
import { aTConfig } from '../../support/builders/configs.ts'
import { aTDeploy } from '../../support/builders/deploys.ts'
import { aTImage } from '../../support/builders/images.ts'
import { aTServer } from '../../support/builders/servers.ts'
import { aTTemplate } from '../../support/builders/templates.ts'
import { due } from '../../support/due.ts'
import { readersOf } from '../../support/fakes/readers.ts'
import { kinds } from '../../support/kinds.ts'
import { reviewsOf } from '../../support/reviews.ts'
import type { Overruled } from './overruled.ts'
import { PASSWORD, RECORDS } from './overruled-records.ts'
import { SERVERS } from './overruled-servers.ts'

const CASES = [...SERVERS, ...RECORDS]

function warningsOf({ of, written, stored }: Overruled) {
  const { creationOf, updateOf } = reviewsOf(of)
  return answered(MUTATING, stored === undefined ? creationOf(written) : updateOf(stored, written), {
    readers: readersOf(),
  })
}

describe('what a mutation overrules is said with field, values, reason and rule', () => {
  it.each(CASES.map((each) => ({ name: '', ...each })))('$id $name', async ({ warnings, ...given }) => {
    const { response } = await warningsOf({ ...given, warnings })
    expect(response.warnings).toEqual(warnings)
    for (const warning of response.warnings ?? []) expect([...warning].length).toBeLessThanOrEqual(120)
    expect(JSON.stringify(response.warnings)).not.toContain(PASSWORD)
  })

  /** These fill in what is missing, refuse, or say themselves what goes (TI-M6). */
  const SILENT = ['TS-M10', 'TS-M11', 'TS-M12', 'TS-M14', 'TS-M16', 'TC-M5', 'TI-M2', 'TI-M5', 'TI-M6', 'TA-M2']

  it('every mutation of TarsK8S that states why has its case, and every other one of the specification is silent', () => {
    const all = kinds.filter(({ resource }) => resource.group === TTEMPLATE.group).flatMap(({ mutations }) => mutations)
    const reported = CASES.flatMap(({ id }) => id.split(', '))
    expect(new Set(reported)).toEqual(new Set(all.filter(({ why }) => why !== undefined).map(({ id }) => id)))
    const silent = all.filter(({ id, why }) => why === undefined && due.includes(id))
    expect(new Set(silent.map(({ id }) => id))).toEqual(new Set(SILENT))
  })
})

describe('what came back from kubectl get is overruled in silence', () => {
  it.each(CASES.map((each) => ({ name: '', ...each })))('$id $name', async ({ written, ...given }) => {
    const { response } = await warningsOf({ ...given, written, stored: written })
    expect(response.warnings).toBeUndefined()
  })
})

describe('what an author leaves out is filled in without a word', () => {
  const bare = ({ metadata: { labels: _, ...metadata }, ...object }: Built): Built => ({ ...object, metadata })
  it.each([
    {
      name: 'TServer',
      of: TSERVER,
      written: bare(aTServer({ k8s: { readinessGate: undefined, replicas: undefined } })),
    },
    {
      name: 'TServer with the default of one replica (W-5)',
      of: TSERVER,
      written: bare(aTServer({ k8s: { replicas: 1 } })),
    },
    { name: 'TImage', of: TIMAGE, written: bare(aTImage({ releases: [{ id: 'a', image: 'x' }] })) },
    { name: 'TTemplate', of: TTEMPLATE, written: bare(aTTemplate({ name: 'child', parent: 'base' })) },
    { name: 'TDeploy', of: TDEPLOY, written: bare(aTDeploy()) },
    { name: 'TConfig', of: TCONFIG, written: bare({ ...aTConfig(), version: undefined, updateTime: '', podSeq: '' }) },
  ])('$name', async ({ of, written }) => {
    expect((await warningsOf({ id: '', of, written, warnings: [] })).response.warnings).toBeUndefined()
  })
})
