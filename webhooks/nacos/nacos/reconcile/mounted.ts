import { ANNOTATIONS, CONFIG_VOLUME, KEYS, MOUNT_PATHS } from '../../names.ts'
import { templateOf, templateSpecOf } from '../objects/main-container.ts'
import { textIn, treeIn, treesIn, wordsIn } from '../objects/parts.ts'
import type { MountedConfig } from '../objects/subject.ts'

/** The configuration that the pods of a StatefulSet mount. */
export function mountedIn(statefulSet: unknown): MountedConfig | undefined {
  const volume = treesIn(templateSpecOf(statefulSet).volumes).find(({ name }) => name === CONFIG_VOLUME)
  const { name, items } = treeIn(volume?.configMap)
  const [{ key = '' } = {}] = treesIn(items)
  const digest = templateDigestOf(statefulSet)
  return textIn(name) === '' ? undefined : { configMap: textIn(name), ...placeOf(textIn(key)), digest }
}

export const templateDigestOf = (statefulSet: unknown) =>
  wordsIn(treeIn(templateOf(statefulSet).metadata).annotations)[ANNOTATIONS.configDigest] ?? ''

/** Where the server looks for a configuration of that key. */
export const placeOf = (key: string) => ({ key, path: key === KEYS.old ? MOUNT_PATHS.old : MOUNT_PATHS.final })
