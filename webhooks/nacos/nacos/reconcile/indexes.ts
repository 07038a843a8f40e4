import type { Found, KubeObject } from '../../../kit/schema.ts'
import { NACOS, type Nacos } from '../schema.ts'
import { sourcesOf } from '../shape.ts'
import { heldReasonOf } from '../status/measured.ts'

const sourceNamesOf = (nacos: Found<Nacos>) => sourcesOf(nacos).map(({ name }) => name)

/** Which Nacos name a ConfigMap as a source (NC-WCH-10). */
export const SOURCES = {
  valuesOf: (object: KubeObject) => (NACOS.isDraft(object) ? sourceNamesOf(object) : []),
}
/** Which Nacos are held, by reason. */
export const HELD = {
  valuesOf: (object: KubeObject) => (NACOS.isOutline(object) ? [heldReasonOf(object) ?? ''] : []),
}
