import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isOfMetadata, keptFor } from '../../src/cluster/kept.ts'
import { Cache } from '../../src/cluster/kube/cache/cache.ts'
import { pageIn } from '../../src/cluster/kube/watch/page.ts'
import { type Need, needsOf } from '../../src/cluster/needs.ts'
import type { Built } from '../../src/cluster/port.ts'
import { Feed } from '../../src/reconcile/feed.ts'
import { nacosController } from '../../webhooks/nacos/nacos/reconcile/reconcile.ts'
import { nacosSourcesController } from '../../webhooks/nacos/nacos/reconcile/sources.ts'
import { kinds } from '../support/kinds.ts'
import { foreignConfigMap } from './foreign-config-map.ts'
import { stored, storedConfig } from './objects.ts'

/** Tells by how many bytes the heap has grown when so many objects were indexed, page by page. */
const PAGE = 500
setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const [count = '0', kind = 'TConfig'] = process.argv.slice(2)
/** In the webhook, and in the worker for Nacos alone. */
const NEEDS: Readonly<Record<string, readonly Need[]>> = {
  TConfig: kinds.flatMap(({ reads }) => reads),
  ConfigMap: needsOf({ controllers: [nacosController, nacosSourcesController] }, 'worker').reads,
}
const [kept] = keptFor(NEEDS[kind] ?? []).filter(({ resource }) => resource.kind === kind)
if (kept === undefined) throw new Error(`no ${kind} is kept`)
const at = kind === 'TConfig' ? storedConfig : (i: number) => stored(foreignConfigMap(i), i)
const cache = new Cache(kept)
const feed = new Feed({ changed: () => {}, listed: () => {} })
const form = ({ metadata, ...body }: Built) => (isOfMetadata(kept) ? { metadata } : { ...body, metadata })
fill(PAGE) // what the code itself takes
fill(0)
const before = used()
fill(Number(count))
process.send?.({ bytes: used() - before })

/** By way of text, as objects arrive. */
function fill(count: number): void {
  cache.begin()
  for (let from = 0; from < count; from += PAGE) {
    const items = Array.from({ length: PAGE }, (_, i) => form(at(from + i)))
    const page = JSON.stringify({ metadata: { resourceVersion: '1' }, items })
    cache.add(pageIn('list', JSON.parse(page)).items)
  }
  cache.done()
  if (kind === 'ConfigMap') tell()
}

/** A worker knows from its feed what was before. */
function tell(): void {
  feed.begin()
  feed.add(cache.all())
  feed.done()
}

function used(): number {
  collect()
  return process.memoryUsage().heapUsed
}
