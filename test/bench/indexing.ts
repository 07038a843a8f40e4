import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Cache } from '../../src/cluster/kube/cache.ts'
import { pageIn } from '../../src/cluster/kube/page.ts'
import { kinds } from '../../webhooks/index.ts'
import { stored } from './api-server-of.ts'

/** Tells by how many bytes the heap has grown when so many TTemplates were indexed, page by page. */
const PAGE = 500
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const [count = '0'] = process.argv.slice(2)
const [read] = kinds.flatMap(({ reads }) => reads)
const cache = new Cache(read?.kept ?? { byLabels: [] })
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
    const items = Array.from({ length: PAGE }, (_, i) => stored(from + i))
    const page = JSON.stringify({ metadata: { resourceVersion: '1' }, items })
    cache.add(pageIn('list', JSON.parse(page)).items)
  }
  cache.done()
}

function used(): number {
  collect()
  return process.memoryUsage().heapUsed
}
