import { at, treesOf } from '../support/builders/trees.ts'
import type { Cluster } from './client.ts'

/** One webhook of a configuration is never asked, as if a person had edited it. Answers how it becomes as it was. */
export async function leftOut(
  { request }: Cluster,
  phase: 'mutating' | 'validating',
  configuration: string,
  webhook: string,
): Promise<() => Promise<void>> {
  const path = `/apis/admissionregistration.k8s.io/v1/${phase}webhookconfigurations/${configuration}`
  const webhooks = treesOf(at((await request('GET', path)).body, 'webhooks'))
  const index = webhooks.findIndex(({ name }) => name === webhook)
  async function replace(value: unknown): Promise<void> {
    const operations = [{ op: 'replace', path: `/webhooks/${index}/matchConditions`, value }]
    const { status } = await request('PATCH', path, operations, { contentType: 'application/json-patch+json' })
    if (status !== 200) throw new Error(`${configuration} is not edited, but ${status}`)
  }
  await replace([{ name: 'never', expression: 'false' }])
  return () => replace(webhooks[index]?.matchConditions)
}
