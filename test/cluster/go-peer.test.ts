import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isTree, type Tree } from '../../src/schema.ts'
import { OUR_PATHS } from '../bench/caller.ts'
import { contender } from '../bench/child.ts'
import { goPeer } from '../bench/go-peer.ts'
import { server } from '../bench/objects.ts'
import type { Peer } from '../bench/race.ts'
import { change, creation, smallCreation } from '../bench/reviews.ts'
import { certificatesIn } from '../bench/setting.ts'
import { WebhookCaller } from '../support/webhook-caller.ts'

const { spec, ...named } = server('demo-echo')
const SPEC = isTree(spec) ? spec : {}
const TARS = isTree(SPEC.tars) ? SPEC.tars : {}
const K8S = isTree(SPEC.k8s) ? SPEC.k8s : {}

const withSpec = (own: Tree) => ({ ...named, spec: { ...SPEC, ...own } })
const withServants = (...servants: readonly Tree[]) => withSpec({ tars: { ...TARS, servants } })
const mount = { name: 'logs', mountPath: '/logs', source: { emptyDir: {} } }

/** Both webhooks refuse these. */
const REFUSED: Readonly<Record<string, Tree>> = {
  'another name than that of app and server (TS-V6)': creation(withSpec({ server: 'Other' })),
  'a change of spec.server (TS-V2)': change(withSpec({}), withSpec({ server: 'Other' })),
  'no block for its subType (TS-V5)': creation(withSpec({ subType: 'normal' })),
  'the port of the node agent (TS-V11)': creation(withServants({ name: 'EchoObj', port: 19385 })),
  'two servants of one name (TS-V8)': creation(
    withServants({ name: 'EchoObj', port: 10_001 }, { name: 'echoobj', port: 10_002 }),
  ),
  'two servants on one port (TS-V9)': creation(
    withServants({ name: 'EchoObj', port: 10_001 }, { name: 'OtherObj', port: 10_001 }),
  ),
  'two mounts of one name and path (TS-V14, TS-V23)': creation(withSpec({ k8s: { ...K8S, mounts: [mount, mount] } })),
}

describe('The webhook in Go that PF-18 measures ours beside', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tars-admission-go-peer-'))
  const caller = new WebhookCaller()
  let caBundle: string
  let peers: readonly Peer[] = []

  beforeAll(async () => {
    caBundle = await certificatesIn(folder)
    peers = [await goPeer({ folder }), await contender('../bench/our-server.ts', folder)]
  }, 600_000)
  afterAll(async () => {
    caller.close()
    for (const peer of peers) await peer.stop()
    rmSync(folder, { recursive: true })
  })

  const answers = (phase: 'mutate' | 'validate', review: Tree) =>
    Promise.all(
      peers.map(({ port }) => {
        const url = `https://127.0.0.1:${port}${OUR_PATHS[phase]}`
        return caller.call({ name: 'peer.lab.example', phase, url, caBundle }, review)
      }),
    )

  it('leaves the TServer that is measured as ours leaves it', async () => {
    const review = smallCreation()
    const [theirs, ours] = await answers('mutate', review)
    expect(theirs?.object).not.toEqual(isTree(review.request) && review.request.object)
    expect(theirs).toEqual(ours)
  })

  it.each(Object.entries(REFUSED))('refuses %s, as ours does', async (_, review) => {
    const codes = (await answers('validate', review)).map(({ refused }) => refused?.code)
    expect(codes).toEqual([422, 422])
  })
})
