import { carries } from '../../../kube/labels.ts'
import { isTree } from '../../../schema.ts'
import type { Kept } from '../../kept.ts'
import type { Keeping } from '../../needs.ts'
import type { Built, Ref, Sink, Where } from '../../port.ts'
import { type Projection, projectionOf } from '../../projection.ts'
import { refOf } from '../../stored.ts'
import { Folding } from './folding.ts'
import { Store } from './store.ts'

type CacheParts = Pick<Kept, 'byLabels' | 'fields' | 'asText' | 'ownerKind'> & Pick<Keeping, 'byField'>

/** The objects of one resource as a reflector last reported them. While it lists again, the old objects stay. */
export class Cache implements Sink {
  readonly #labels: readonly string[]
  readonly #empty: () => Store
  readonly #projected: Projection
  readonly #folding: Folding | undefined
  readonly #ownerKind: string | undefined
  readonly #texts = new Map<string, string>()
  #store: Store
  #next: Store

  constructor({ byLabels, byField, fields, asText, ownerKind }: CacheParts) {
    this.#labels = byLabels
    this.#ownerKind = ownerKind
    this.#folding = asText && new Folding(byLabels)
    this.#projected = projectionOf(fields)
    this.#empty = () => new Store(byLabels, { indexes: byField, whole: (kept) => this.unfolded(kept) })
    this.#store = this.#empty()
    this.#next = this.#store
  }

  keeps({ metadata: { ownerReferences } }: Built): boolean {
    const owner = this.#ownerKind && ownerReferences?.find(({ controller }) => controller)
    return !owner || owner.kind === this.#ownerKind
  }

  get(ref: Ref): Built | undefined {
    const kept = this.kept(ref)
    return kept && this.unfolded(kept)
  }

  /** As it is kept. */
  kept(ref: Ref): Built | undefined {
    return this.#store.get(ref)
  }

  list(where: Where): readonly Built[] {
    return this.#folding === undefined
      ? this.#store.list(where).slice(0, where.limit)
      : this.#listFolded(where, this.#folding)
  }

  /** As they are kept. */
  all(): readonly Built[] {
    return this.#store.list({ namespace: '' })
  }

  begin(): void {
    this.#texts.clear()
    this.#folding?.begin()
    this.#next = this.#empty()
  }

  add(objects: readonly Built[]): void {
    const kept = objects.filter((object) => this.keeps(object)).map((object) => this.#kept(object))
    if (kept.length > 0) this.#folding?.learn(kept)
    for (const object of kept) this.#next.put(this.#folded(object))
  }

  done(): void {
    this.#store = this.#next
  }

  /** Answers what is kept of it. */
  put(object: Built): Built {
    const kept = this.#folded(this.#kept(object))
    this.#store.put(kept)
    return kept
  }

  /** Answers what would be kept of its last state. */
  remove(object: Built): Built {
    this.#store.remove(refOf(object))
    return this.#kept(object)
  }

  /** An object as it is kept, with all that is kept of it. */
  unfolded(kept: Built): Built {
    return this.#folding?.unfold(kept) ?? kept
  }

  /** Labels that are not shown are looked for in the whole objects. */
  #listFolded({ namespace, labels = {}, by, metadataOnly, limit }: Where, folding: Folding): readonly Built[] {
    const shown = folding.shownIn(labels)
    const kept = this.#store.list({ namespace, labels: shown, ...(by && { by }) })
    if (Object.keys(shown).length < Object.keys(labels).length) {
      const whole = kept.map((each) => folding.unfold(each))
      return whole.filter(({ metadata }) => carries(metadata.labels, labels)).slice(0, limit)
    }
    const some = kept.slice(0, limit)
    return metadataOnly ? some : some.map((each) => folding.unfold(each))
  }

  #folded(object: Built): Built {
    return this.#folding?.fold(object) ?? object
  }

  /** Projects every object, since an API server that does not know PartialObjectMetadata sends whole ones. */
  #kept(object: Built): Built {
    const kept = this.#projected(object)
    this.#share(kept.metadata)
    return kept
  }

  /** Thousands of objects say the same: one text serves them all. */
  #share(metadata: unknown): void {
    if (!isTree(metadata)) return
    if (typeof metadata.namespace === 'string') metadata.namespace = this.#one(metadata.namespace)
    const labels = metadata.labels
    if (!isTree(labels)) return
    for (const label of this.#labels) {
      const value = Object.hasOwn(labels, label) ? labels[label] : undefined
      if (typeof value === 'string') labels[label] = this.#one(value)
    }
  }

  #one(text: string): string {
    const known = this.#texts.get(text)
    if (known === undefined) this.#texts.set(text, text)
    return known ?? text
  }
}
