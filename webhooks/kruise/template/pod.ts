import { againstKey, againstLabelValue } from '../../../src/kube/qualified-names.ts'
import type { Tree } from '../../kit/schema.ts'
import { specOf, treeIn } from '../list/touched.ts'
import { containerChecks } from './containers.ts'
import { type IsTouched, placedIn, repeated, specIn, type TemplateCheck, type TemplateProblem } from './problem.ts'

const METADATA = 'metadata'
const LARGEST_ANNOTATIONS = 262_144

const restarting: TemplateCheck = (template) => {
  const { restartPolicy = 'Always' } = specOf(template)
  return restartPolicy === 'Always' ? [] : [{ at: ['spec', 'restartPolicy'], text: 'must be Always in a DaemonSet' }]
}

const oneSource: TemplateCheck = (template, isTouched) =>
  placedIn(specIn(template), 'volumes', isTouched).flatMap(({ at, value: { name: _, ...sources } }) => {
    const found = Object.keys(sources).filter((key) => sources[key] !== null && sources[key] !== undefined)
    if (found.length <= 1) return []
    return [{ at, text: `has ${found.join(' and ')}; a patch of another source names it in $retainKeys` }]
  })

const volumesNamedOnce: TemplateCheck = (template) =>
  repeated(placedIn(specIn(template), 'volumes'), ({ value }) => value.name).map(({ at }) => ({
    at: [...at, 'name'],
    text: 'another volume has this name',
  }))

const labelled: TemplateCheck = (template) =>
  Object.entries(treeIn(treeIn(template, METADATA), 'labels')).flatMap(([key, value]) =>
    [...againstKey(key), ...(typeof value === 'string' ? againstLabelValue(value) : ['expected a string'])].map(
      (text) => ({ at: [METADATA, 'labels', key], text }),
    ),
  )

const annotated: TemplateCheck = (template) => {
  const entries = Object.entries(treeIn(treeIn(template, METADATA), 'annotations'))
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(`${key}${value}`), 0)
  return [
    ...entries.flatMap(([key, value]) =>
      [...againstKey(key.toLowerCase()), ...(typeof value === 'string' ? [] : ['expected a string'])].map((text) => ({
        at: [METADATA, 'annotations', key],
        text,
      })),
    ),
    ...(size > LARGEST_ANNOTATIONS ? [{ at: [METADATA, 'annotations'], text: 'must have at most 262144 bytes' }] : []),
  ]
}

const CHECKS: readonly TemplateCheck[] = [
  ...containerChecks,
  restarting,
  oneSource,
  volumesNamedOnce,
  labelled,
  annotated,
]

/** What an API server would refuse of a template, as far as it can be told without asking one (PATCH-V-18). */
export function podProblems(template: Tree, isTouched: IsTouched = () => true): readonly TemplateProblem[] {
  return CHECKS.flatMap((check) => check(template, isTouched))
}
