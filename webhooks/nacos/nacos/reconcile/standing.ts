import { DATA_VOLUME } from '../objects/data-volume.ts'
import { named, templateSpecOf } from '../objects/main-container.ts'
import { holdOn } from '../objects/metadata.ts'
import { textIn, treeIn, treesIn } from '../objects/parts.ts'
import type { Nacos } from '../schema.ts'
import { childNamesOf, type NacosSpec, overlayOf } from '../shape.ts'
import { isForeignTemplate } from './first-contact.ts'
import type { NacosSeen, Whole } from './seen.ts'

/** The Nacos as it was when its StatefulSet was made, as far as the rules of an update compare it (NC-ADM-20, 21 and 26). */
export function standingIn(seen: Pick<NacosSeen, 'nacos' | 'statefulSet'>): Nacos | undefined {
  const { nacos, statefulSet } = seen
  if (statefulSet === undefined || holdOn(statefulSet, nacos) !== 'ours' || isForeignTemplate(seen)) return undefined
  const { name } = nacos.metadata
  const [, headless] = childNamesOf(name)
  const type = treeIn(statefulSet.spec).serviceName === headless ? 'cluster' : 'standalone'
  const spec = {
    ...nacos.spec,
    type,
    volume: volumeIn(statefulSet, nacos),
    certification: certificationIn(statefulSet, name),
  }
  return { ...nacos, spec }
}

/** A volume of the name in the overlay is the author's, and says nothing of what stands. */
function volumeIn(statefulSet: Whole, { spec }: Nacos): NonNullable<NacosSpec['volume']> {
  const [volumeClaimTemplate] = treesIn(treeIn(statefulSet.spec).volumeClaimTemplates)
  if (volumeClaimTemplate !== undefined) return { volumeClaimTemplate }
  const isData = ({ name }: { readonly name?: unknown }) => name === DATA_VOLUME
  if (treesIn(overlayOf(spec).volumes).some(isData)) return spec?.volume ?? {}
  const { hostPath, emptyDir } = treesIn(templateSpecOf(statefulSet).volumes).find(isData) ?? {}
  return {
    ...(hostPath !== undefined && { hostPath: treeIn(hostPath) }),
    ...(emptyDir !== undefined && { emptyDir: treeIn(emptyDir) }),
  }
}

function certificationIn(statefulSet: Whole, name: string): NonNullable<NacosSpec['certification']> {
  const env = treesIn(named(templateSpecOf(statefulSet), name).env)
  const token = env.find((variable) => variable.name === 'NACOS_AUTH_TOKEN')
  return token === undefined ? {} : { enabled: true, token: textIn(token.value) }
}
