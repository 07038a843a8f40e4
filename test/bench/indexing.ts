import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isOfMetadata, keptFor } from '../../src/cluster/kept.ts'
import { Cache } from '../../src/cluster/kube/cache/cache.ts'
import { pageIn } from '../../src/cluster/kube/watch/page.ts'
import type { Built } from '../../src/cluster/port.ts'
import { kinds } from '../support/kinds.ts'
import { storedConfig } from './objects.ts'

/** Tells by how many bytes the heap has grown when so many TConfigs were indexed, page by page. */
const PAGE = 500
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const [count = '0'] = process.argv.slice(2)
const [kept] = keptFor(kinds.flatMap(({ reads }) => reads)).filter(({ resource }) => resource.kind === 'TConfig')
if (kept === undefined) throw new Error('TConfigs are not kept')
const cache = new Cache(kept)
const form = ({ metadata, ...body }: Built) => (isOfMetadata(kept) ? { metadata } : { ...body, metadata })
fill(PAGE) // what the code itself takes
cache.begin()
cache.done()
const before = used()
fill(Number(count))
process.send?.({ bytes: used() - before })

/** By way of text, as objects arrive. */
function fill(count: number): void {
  cache.begin()
  for (let from = 0; from < count; from += PAGE) {
    const items = Array.from({ length: PAGE }, (_, i) => form(storedConfig(from + i)))
    const page = JSON.stringify({ metadata: { resourceVersion: '1' }, items })
    cache.add(pageIn('list', JSON.parse(page)).items)
  }
  cache.done()
}

function used(): number {
  collect()
  return process.memoryUsage().heapUsed
}
