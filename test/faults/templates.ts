import type { Built } from '../../src/cluster/port.ts'
import type { Tree } from '../../src/schema.ts'
import { LABELS } from '../../webhooks/tars/names.ts'
import { stored, template } from '../bench/objects.ts'
import { creation, sized } from '../bench/reviews.ts'

/** The review of a new TTemplate of so many bytes, before anything of it is completed. */
export function arriving(bytes: number): Tree {
  return sized(bytes, (filling) => creation(template('child', 'root', filling)))
}

/** The same when it comes for its last look. */
export function completed(bytes: number, parent = 'root'): Tree {
  return sized(bytes, (filling) => creation(storedTemplate('child', parent, filling)))
}

export function storedTemplate(name: string, parent: string, filling = 0): Built {
  const { metadata, ...body } = template(name, parent, filling)
  return stored({ ...body, metadata: { ...metadata, labels: { [LABELS.parent]: parent } } })
}
