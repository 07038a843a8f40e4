import { carriesAll } from '../../kube/labels.ts'
import type { Kept } from '../kept.ts'
import type { Built, Sink } from '../port.ts'
import { projectionOf } from '../projection.ts'
import type { ChangeListener } from './memory-store.ts'

type Shown = (object: Built | undefined) => Built | undefined

/** What a cache holds of an object: nothing without the labels that its objects carry. */
export function shownBy({ carrying, fields }: Pick<Kept, 'carrying' | 'fields'>): Shown {
  const projected = projectionOf(fields)
  return (object) => (object && carriesAll(object.metadata.labels, carrying) ? projected(object) : undefined)
}

/** Passes on what a cache would hold of each object. */
export function listenerOf(sink: Sink, shown: Shown): ChangeListener {
  return {
    begin(there) {
      sink.begin()
      sink.add(there.flatMap((each) => shown(each) ?? []))
      sink.done()
    },
    tell({ before, now }) {
      const [last, next] = [shown(before), shown(now)]
      if (next !== undefined) sink.put(next)
      else if (last !== undefined) sink.remove(last)
    },
  }
}
