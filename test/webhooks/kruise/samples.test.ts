import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { isStored } from '../../../src/cluster/stored.ts'
import { consistent, patchedTemplate } from '../../../webhooks/kruise/list/patched.ts'
import { patchesOf } from '../../../webhooks/kruise/list/read.ts'
import { at, treesOf } from '../../support/builders/trees.ts'
import { ran } from '../../support/world.ts'

const FOLDER = 'manifests/samples/daemonsets'
const files = readdirSync(FOLDER).map((name) => `${FOLDER}/${name}`)
const samples = files.flatMap((file) =>
  parseAllDocuments(readFileSync(file, 'utf8')).flatMap((document) => [document.toJS()].filter(isStored)),
)
const carried = samples.map((sample) => ({ sample, of: `${sample.metadata.name} ${at(sample, 'apiVersion')}` }))

/** What becomes of the container on a Node that the patch is for. */
function patched(sample: (typeof samples)[number]) {
  const { entries } = patchesOf(sample)
  const [template = {}] = treesOf([at(sample, 'spec.template')])
  return treesOf([at(consistent(template, patchedTemplate(template, entries), entries), 'spec.containers.0')])[0]
}
const EXPECTED = [
  {
    name: 'nydus-daemonset',
    container: {
      image: 'nydus:latest',
      env: [
        { name: 'LOCAL_CACHE_SIZE', value: '2Ti' },
        { name: 'FEATURE_GATE_LARGE_DISK', value: 'true' },
      ],
    },
  },
  {
    name: 'gpu-monitor',
    container: {
      env: [{ name: 'GPU_MONITORING', value: 'enabled' }],
      resources: { requests: { 'nvidia.com/gpu': 1, memory: '2Gi' }, limits: { 'nvidia.com/gpu': 1 } },
    },
  },
]

describe('the samples of node patches', () => {
  it.each(files)('%s is admitted', async (file) => {
    expect(await ran(['review', '-f', file])).toMatchObject({ code: 0, out: expect.stringContaining(' 0 refused') })
  })

  it('are the two cases of the request, in each carrier', () => {
    expect(carried.map(({ of }) => of).sort()).toEqual(
      EXPECTED.flatMap(({ name }) => [`${name} apps.kruise.io/v1beta1`, `${name} apps/v1`]).sort(),
    )
  })

  it.each(carried)('$of patches as it says', ({ sample }) => {
    const { entries, unreadable } = patchesOf(sample)
    expect({ many: entries.length, unreadable }).toEqual({ many: 1, unreadable: undefined })
    expect(patched(sample)).toMatchObject(EXPECTED.find(({ name }) => name === sample.metadata.name)?.container ?? {})
  })
})
