import type { ClusterReader, Gvr, Readers } from '../cluster/port.ts'
import type { Key, Sight } from './controller.ts'
import type { GoneObject } from './gone.ts'

/** `itself`: the object of the key is read live if the cache still has it (TS-R7). `all`: every look-up is (WK-12). */
export type Live = 'nothing' | 'itself' | 'all'

export interface SightParts extends Readers {
  readonly of: Gvr
  readonly key: Key
  readonly reads: Live
  readonly gone: readonly GoneObject[]
}

export function sightOf({ cached, live, gone, ...parts }: SightParts): Sight {
  return {
    live,
    cached: cachedOf(parts, { cached, live }),
    gone: (of) => gone.filter((each) => isSame(each.of, of)).map(({ object }) => object),
  }
}

function cachedOf(
  { of, key, reads }: Pick<SightParts, 'of' | 'key' | 'reads'>,
  { cached, live }: Readers,
): ClusterReader {
  switch (reads) {
    case 'nothing':
      return cached
    case 'all':
      return live
    case 'itself':
      return {
        ...live,
        list: (what, where) => cached.list(what, where),
        get: rereading(of, key, { cached, live }),
      }
  }
}

function rereading(own: Gvr, key: Key, { cached, live }: Readers): ClusterReader['get'] {
  return async (of, ref) => {
    const found = await cached.get(of, ref)
    const isIt = isSame(of, own) && ref.name === key.name && ref.namespace === key.namespace
    return found !== undefined && isIt ? live.get(of, ref) : found
  }
}

const isSame = (one: Gvr, other: Gvr) => one.group === other.group && one.plural === other.plural
