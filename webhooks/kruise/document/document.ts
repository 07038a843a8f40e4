import { PATCH, RETAIN_KEYS } from '../../../src/kube/strategic-merge/directives.ts'
import { type FieldType, type ListType, POD_TEMPLATE, type PodField } from '../../../src/kube/strategic-merge/fields.ts'
import { isTree, type Tree } from '../../kit/schema.ts'
import { type Ban, bansOf } from './bans.ts'
import { fieldNamedBy, IN_ATOMIC, inertness, isScalar, UNDER_REPLACE } from './directives.ts'
import { clipped, type DocumentFinding, type DocumentFindings, pathTo } from './findings.ts'
import { suggestion } from './suggestion.ts'
import { misfit } from './values.ts'

export interface DocumentGiven {
  /** The keys of labels that the selector of the DaemonSet names. */
  readonly selectorKeys: readonly string[]
  /** PodTemplateSpec; as this release knows it when absent. */
  readonly fields?: FieldType
}

/** Where a value of the patch stands, and what follows from it. */
interface PlaceInPatch {
  readonly path: string
  readonly ban?: Ban | undefined
  /** Why no directive has an effect here. */
  readonly inert?: string | undefined
  readonly isElement?: true
}

const MOST = 100
const NOT_OF_A_PATCH = ['.apiVersion', '.kind', '.status']

/** The rules on a patch that need no template (sections 4.2 and 4.3): linear in its size, at most 100 findings. */
export function documentFindings(patch: Tree, given: DocumentGiven): DocumentFindings {
  return inObject(patch, given.fields ?? POD_TEMPLATE, { path: '', ban: bansOf(given.selectorKeys) }).slice(0, MOST)
}

const finding = (id: DocumentFinding['id'], { path }: PlaceInPatch, text: string) => [{ id, path, text }]
const banned = (why: string, at: PlaceInPatch) => finding('PATCH-V-10', at, `may not be set by a node patch: ${why}`)

function inObject(holder: Tree, type: FieldType, place: PlaceInPatch): DocumentFindings {
  const inert = holder[PATCH] === 'replace' ? (place.inert ?? UNDER_REPLACE) : place.inert
  return Object.entries(holder).flatMap(([key, value]) => {
    const at = { ...place, path: pathTo(place.path, key) }
    if (isDirective(key)) return inDirective(key, value, { holder, type, at })
    return inField(key, value, type, { ...at, inert })
  })
}

const isDirective = (key: string) => key === PATCH || key === RETAIN_KEYS || fieldNamedBy(key) !== undefined

interface Held {
  readonly holder: Tree
  readonly type: FieldType
  readonly at: PlaceInPatch
}

function inDirective(key: string, value: unknown, { holder, type, at }: Held): DocumentFindings {
  const named = fieldNamedBy(key)
  const why = named === undefined ? at.ban?.whole : at.ban?.within?.(named)?.why
  if (why !== undefined) return banned(why, at)
  const typeOf = (name: string) => fieldOf(type, name)?.type
  const inert = inertness(key, value, { holder, isElement: at.isElement === true, inert: at.inert, typeOf })
  if (inert === undefined) return []
  return finding('PATCH-V-14', at, `directive ${clipped(key)} has no effect here: ${inert}`)
}

function inField(key: string, value: unknown, type: FieldType, { path, ban, inert }: PlaceInPatch): DocumentFindings {
  const own = ban?.within?.(key)
  if (own?.why !== undefined && !own.allows?.(value)) return banned(own.why, { path })
  const field = fieldOf(type, key)
  return field === undefined ? unknown(key, type, { path }) : inValue(value, field, { path, ban: own, inert })
}

function inValue(value: unknown, { type, required }: PodField, place: PlaceInPatch): DocumentFindings {
  if (value === null && place.ban?.whole !== undefined) return banned(place.ban.whole, place)
  if (value === null && !required) return []
  const text = misfit(value, type)
  if (text !== undefined) return finding('PATCH-V-15', place, text)
  if (type.is === 'list' && Array.isArray(value)) return inList(value, type, place)
  return isTree(value) && (type.is === 'object' || type.is === 'map') ? inObject(value, type, place) : []
}

function unknown(key: string, type: FieldType, at: PlaceInPatch): DocumentFindings {
  if (at.path === '.spec.template') {
    return finding('PATCH-V-13', at, 'the patch starts at the pod template; remove the level spec.template')
  }
  if (NOT_OF_A_PATCH.includes(at.path)) return finding('PATCH-V-13', at, 'a patch has only metadata and spec')
  const near = type.is === 'object' ? suggestion(key, [...type.fields().keys(), PATCH, RETAIN_KEYS]) : undefined
  const meant = near === undefined ? '' : `, did you mean "${near}"`
  return finding('PATCH-V-12', at, `unknown field "${clipped(key)}"${meant}`)
}

function inList(elements: readonly unknown[], type: ListType, place: PlaceInPatch): DocumentFindings {
  const inert = type.merges ? place.inert : (place.inert ?? IN_ATOMIC)
  return elements.flatMap((each, i) => {
    const at: PlaceInPatch = { path: `${place.path}[${i}]`, inert, isElement: true }
    if (type.merges && type.key !== undefined && isTree(each)) return inElement(each, type.items, type.key, at)
    return inValue(each, { type: type.items, required: true }, at)
  })
}

/** Of a list that is merged by a key. */
function inElement(element: Tree, type: FieldType, key: string, at: PlaceInPatch): DocumentFindings {
  const { [key]: value, ...rest } = element
  if (element[PATCH] === 'replace' || isScalar(value)) return inObject(element, type, at)
  return [...finding('PATCH-V-16', at, `missing merge key "${key}"`), ...inObject(rest, type, at)]
}

function fieldOf(type: FieldType, key: string): PodField | undefined {
  if (type.is === 'map') return { type: type.values, required: false }
  return type.is === 'object' ? type.fields().get(key) : undefined
}
