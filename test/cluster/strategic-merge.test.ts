import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openApi } from '../../src/cluster/kube/open-api.ts'
import { connect } from '../../src/cluster/kube/wire/connection.ts'
import { fieldNotesIn } from '../../src/kube/strategic-merge/openapi.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { systemClock } from '../../src/timing/clock.ts'
import { pairsOf } from '../support/merge-pairs.ts'
import { theCluster } from './cluster.ts'
import { NotBuilt } from './go-modules.ts'
import { fuzzed, ours } from './merge-fuzz.ts'
import { type MergeOracle, mergeOracle } from './merge-oracle.ts'
import { podFieldsOf } from './pod-fields.ts'

const cluster = theCluster()
const PAIRS = 200_000
const WITNESSED = 25

it('the table of fields is that of this API server, where it is of its version', async ({ skip }) => {
  const [printed, stored] = [await podFieldsOf(cluster), readFileSync('src/kube/strategic-merge/fields.json', 'utf8')]
  if (JSON.parse(printed).kubernetes !== JSON.parse(stored).kubernetes) skip('another version')
  expect(printed).toBe(stored)
})

it('any user may read the document that it comes from (PATCH-V-12)', async () => {
  const connection = await connect(cluster.kubeconfig('ann'), systemClock)
  const { types } = JSON.parse(await podFieldsOf(cluster))
  expect(fieldNotesIn(await openApi(connection, 'api/v1'))).toEqual(types)
  connection.stop()
})

describe('PATCH-T-2 strategic merge beside the library', () => {
  let oracle: MergeOracle | undefined
  beforeAll(async () => {
    oracle = await mergeOracle().catch(withoutGo)
  }, 600_000)
  afterAll(() => oracle?.stop())

  it('random patches of random pods come out the same', async ({ skip }) => {
    if (oracle === undefined) return skip('there is no Go')
    const seed = Date.now() % 1_000_000_000
    process.stderr.write(`strategic merges: seed ${seed}\n`)
    const { refused, differences } = await fuzzed(oracle, seed, PAIRS)
    expect(differences.slice(0, 3)).toEqual([])
    expect(refused).toBeGreaterThan(PAIRS / 20)
    expect(refused).toBeLessThan(PAIRS / 2)
  }, 300_000)

  it('the vectors do too, which kubectl made', async ({ skip }) => {
    if (oracle === undefined) return skip('there is no Go')
    const vectors = JSON.parse(readFileSync('test/fixtures/smp-vectors.json', 'utf8'))
    const answers = await oracle.answersTo(vectors)
    expect(answers.map(({ expected }) => expected)).toEqual(vectors.map(({ expected }: Tree) => expected))
  })

  it('kubectl agrees', async () => {
    const next = pairsOf(1)
    for (let i = 0; i < WITNESSED; i += 1) {
      const { original, patch } = next()
      const spec = { original: specOf(original), patch: specOf(patch) }
      expect(await patchedByKubectl(spec.original, spec.patch), JSON.stringify(spec)).toEqual(ours(spec))
    }
  })
})

function withoutGo(cause: unknown): undefined {
  if (!(cause instanceof NotBuilt)) throw cause
}

/** kubectl itself changes metadata. */
function specOf({ spec }: Tree): Tree {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, ...(spec !== undefined && { spec }) }
}

async function patchedByKubectl(pod: Tree, patch: Tree): Promise<Tree | undefined> {
  const args = ['patch', '--local', '-f', '-', '--type=strategic', '-o', 'json', '-p', JSON.stringify(patch)]
  const { code, stdout } = await cluster.kubectl(args, { stdin: JSON.stringify(pod) })
  const printed: unknown = code === 0 ? JSON.parse(stdout) : undefined
  return isTree(printed) ? printed : undefined
}
