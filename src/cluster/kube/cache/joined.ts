import type { ObjectsInMemory } from '../../cached-reader.ts'
import type { Built, Following, Sink, Where } from '../../port.ts'
import type { SharedCache } from './shared-cache.ts'

/** The cache of one namespace. */
export interface CachedPart {
  readonly cache: SharedCache
  readonly objects: ObjectsInMemory
}

/** Tells the lists of several caches as one, as soon as all are there, and then again after each new list of any. */
export function joinAll(parts: readonly CachedPart[], sink: Sink): Following {
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only.cache.join(sink)
  const listed = new Set<CachedPart>()
  const isListed = () => listed.size === parts.length
  function list(): void {
    if (!isListed()) return
    sink.begin()
    for (const { cache } of parts) sink.add(cache.all())
    sink.done()
  }
  const partSink = (part: CachedPart): Sink => ({
    begin: () => undefined,
    add: () => undefined,
    done() {
      listed.add(part)
      list()
    },
    put: (object) => isListed() && sink.put(object),
    remove: (object) => isListed() && sink.remove(object),
  })
  const followings = parts.length === 0 ? [nothing(sink)] : parts.map((part) => part.cache.join(partSink(part)))
  return {
    stop() {
      for (const each of followings) each.stop()
    },
  }
}

/** What is listed nowhere is empty, and the sink hears so after the caller has gone on. */
function nothing(sink: Sink): Following {
  let isStopped = false
  queueMicrotask(() => {
    if (isStopped) return
    sink.begin()
    sink.done()
  })
  return {
    stop() {
      isStopped = true
    },
  }
}

/** Reads from the caches of several namespaces as from one. */
export function unionOf(parts: readonly ObjectsInMemory[]): ObjectsInMemory {
  return {
    get: (ref) => parts.map((part) => part.get(ref)).find((object) => object !== undefined),
    list: (where: Where): readonly Built[] => parts.flatMap((part) => part.list(where)),
  }
}
