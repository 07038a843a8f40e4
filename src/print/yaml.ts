import { stringify } from 'yaml'
import type { Manifest } from './objects.ts'

/** The same objects yield the same bytes (CT-5). */
export function yamlOf(manifests: readonly Manifest[]): string {
  return manifests
    .map((manifest) => stringify(manifest, { lineWidth: 110, aliasDuplicateObjects: false }))
    .join('---\n')
}
