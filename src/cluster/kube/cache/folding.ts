import { isTree, type Tree } from '../../../schema.ts'
import type { Built, Words } from '../../port.ts'
import { named } from '../../projection.ts'
import { Compression } from './compression.ts'

const BODY = Symbol('body')

/** An object of which all is compressed text, but its identity, the labels that are looked up and whether it is terminating. */
type Folded = Built & { readonly [BODY]?: string }

const SPECIMENS = 4

/**
 * Compresses the objects of one cache. They say nearly the same, so a few of the first ones serve all as a dictionary: of
 * a pod a tenth remains, and the garbage collector does not walk through it.
 */
export class Folding {
  readonly #labels: readonly string[]
  readonly #shown = new Map<string, Words>()
  #compression: Compression | undefined

  constructor(labels: readonly string[]) {
    this.#labels = labels
  }

  /** Of these labels, those that an object shows as it is kept. */
  shownIn(labels: Words): Words {
    return Object.fromEntries(Object.entries(labels).filter(([label]) => this.#labels.includes(label)))
  }

  /** What is shared among objects is forgotten, since a list begins. */
  begin(): void {
    this.#shown.clear()
  }

  /** Takes its dictionary from the first objects that it is shown. */
  learn(objects: readonly Built[]): Compression {
    const step = Math.ceil(objects.length / SPECIMENS)
    const specimens = () => objects.filter((_, i) => i % step === 0).map((object) => bodyOf(object))
    this.#compression ??= new Compression(specimens().join(''))
    return this.#compression
  }

  fold(object: Built): Built {
    const compression = this.learn([object])
    const { name, namespace, uid, resourceVersion, deletionTimestamp } = object.metadata
    const metadata: Tree = { name, namespace, uid, resourceVersion, labels: this.#shownOf(object) } // at once, or it takes more memory
    if (deletionTimestamp) metadata.deletionTimestamp = deletionTimestamp
    return named({ metadata, [BODY]: compression.compress(bodyOf(object)) })
  }

  unfold(object: Folded): Built {
    const { metadata, [BODY]: folded } = object
    if (folded === undefined || this.#compression === undefined) return object
    const body: unknown = JSON.parse(this.#compression.expand(folded))
    if (!isTree(body)) return { metadata }
    return { ...body, metadata: { ...metadata, ...(isTree(body.metadata) && body.metadata) } }
  }

  /** Thousands of objects have the same: one object serves them all. */
  #shownOf({ metadata }: Built): Words | undefined {
    const shown = this.shownIn(metadata.labels ?? {})
    const id = JSON.stringify(shown)
    if (id === '{}') return undefined
    const known = this.#shown.get(id)
    if (known === undefined) this.#shown.set(id, shown)
    return known ?? shown
  }
}

function bodyOf({ metadata, ...body }: Built): string {
  const { name, namespace, uid, resourceVersion, deletionTimestamp, ...rest } = metadata
  return JSON.stringify({ ...body, metadata: rest })
}
