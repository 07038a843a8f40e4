import type { ClusterReader, Found } from '../../kit/schema.ts'
import { TCONFIG, type TConfig } from './schema.ts'

const AT_ONCE = 8

/**
 * Reads each candidate that was found by its labels, and asks its own fields. Contents are not kept: together they may
 * take a gigabyte.
 */
export async function confirmed(
  candidates: readonly Found<TConfig>[],
  isMeant: (each: Found<TConfig>) => boolean,
  cluster: ClusterReader,
): Promise<readonly Found<TConfig>[]> {
  const members: Found<TConfig>[] = []
  for (let at = 0; at < candidates.length; at += AT_ONCE) {
    const few = await Promise.all(candidates.slice(at, at + AT_ONCE).map((each) => withoutContent(each, cluster)))
    members.push(...few.filter((each) => each !== undefined).filter(isMeant))
  }
  return members
}

async function withoutContent({ metadata }: Found<TConfig>, cluster: ClusterReader) {
  const found = await cluster.get(TCONFIG, { namespace: metadata.namespace ?? '', name: metadata.name })
  return found && { ...found, configContent: undefined }
}
