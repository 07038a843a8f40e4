import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Next to dist in a packed package, two folders up from here in a clone. */
export const SAMPLES = ['../manifests/samples', '../../manifests/samples']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find(existsSync)
