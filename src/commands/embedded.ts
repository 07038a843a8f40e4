import type { Remotes } from '../admission/mutation.ts'
import type { MemoryCluster } from '../cluster/memory/memory-cluster.ts'
import type { Fact } from '../fact.ts'
import type { Kind } from '../kind.ts'
import { certSecret } from '../print/workloads.ts'
import { factsInMemory } from '../process/facts.ts'
import type { ProcessContext } from '../process/process.ts'
import { remotesOf } from '../process/remotes.ts'

export interface Embedding extends Pick<ProcessContext, 'config' | 'log'> {
  readonly kinds: readonly Kind[]
  readonly asked: readonly Fact<unknown>[]
}

/**
 * A cluster in this process that sends each write to our own code. It contains the empty Secret of the manifests, so that
 * certificates are issued as in a real cluster, and the objects of --seed.
 */
export async function embedded(embedding: Embedding, opened: AsyncDisposableStack): Promise<MemoryCluster> {
  const { config, kinds, asked } = embedding
  const { admittedCluster } = await import('../process/in-process-webhook.ts')
  const { namespace, enforce, seed } = config
  const remotes = opened.adopt(remotesOf(), ({ stop }) => stop())
  const facts = factsInMemory(asked, () => memory, namespace)
  const memory: MemoryCluster = admittedCluster({ config, kinds, remotes, namespace, enforce, facts })
  await facts.askAll()
  memory.seed([certSecret(namespace)])
  if (seed.length > 0) await seedFrom(memory, { ...embedding, remotes }) // YAML is loaded only for a seed
  return memory
}

async function seedFrom(
  memory: MemoryCluster,
  { config, kinds, remotes, log }: Embedding & { readonly remotes: Remotes },
): Promise<void> {
  const [{ storedIn }, { seed }] = await Promise.all([import('../review/objects.ts'), import('../review/seed.ts')])
  const note = (text: string) => log.warn({ note: text }, 'not all of --seed is there as it would be in a cluster')
  const placed = await storedIn(config.seed, 'default', { kinds, recursive: false, note })
  await seed(memory, placed, { kinds, config, remotes, note })
}
