import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { fieldNotesIn } from '../../src/kube/strategic-merge/openapi.ts'
import { isTree } from '../../src/schema.ts'
import type { Cluster } from './client.ts'
import { startControlPlane } from './control-plane.ts'

const FILE = new URL('../../src/kube/strategic-merge/fields.json', import.meta.url)

/** The content of `fields.json` as the API server that runs would have it. */
export async function podFieldsOf({ request }: Pick<Cluster, 'request'>): Promise<string> {
  const version = await request('GET', '/version')
  const { body } = await request('GET', '/openapi/v3/api/v1')
  const kubernetes = isTree(version.body) ? version.body.gitVersion : undefined
  return `${JSON.stringify({ kubernetes, types: fieldNotesIn(body) }, undefined, 1)}\n`
}

/** `node test/cluster/pod-fields.ts` writes it, after a change of the Kubernetes version. */
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const cluster = await startControlPlane()
  try {
    writeFileSync(FILE, await podFieldsOf(cluster))
  } finally {
    await cluster.stop()
  }
}
