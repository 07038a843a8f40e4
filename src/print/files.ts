import { type Family, kindsOf } from '../family.ts'
import { definitionsOf } from './crds.ts'
import { type ManifestOptions, manifestsOf } from './manifests.ts'
import { rulesPage } from './rules-page.ts'
import { yamlOf } from './yaml.ts'

/**
 * The files of the repository that are printed from the kinds, by path. A check compares them with the committed ones. A
 * family that is off has its rules there, and is not installed.
 */
export function printedFiles(
  families: readonly Family[],
  usual: Omit<ManifestOptions, 'set'>,
): Readonly<Record<string, string>> {
  const installed = families.filter(({ off }) => off !== true)
  const set = (name: ManifestOptions['set']) => yamlOf(manifestsOf(installed, { ...usual, set: name }))
  const resources = {
    ...Object.fromEntries(
      definitionsOf(installed, usual).map((crd) => [`crds/${crd.metadata.name}.yaml`, yamlOf([crd])]),
    ),
    'rbac/people.yaml': set('people'),
    'rbac/rbac.yaml': set('rbac'),
    'webhook/workloads.yaml': set('workloads'),
    'webhook/configurations.yaml': set('webhooks'),
  }
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: Object.keys(resources),
  }
  const manifests = { ...resources, 'install.yaml': set('all'), 'kustomization.yaml': yamlOf([kustomization]) }
  const inFolder = Object.entries(manifests).map(([path, content]) => [`manifests/${path}`, HEAD + content])
  return { ...Object.fromEntries(inFolder), 'docs/rules.md': rulesPage(kindsOf(families, usual.settings)) }
}

const HEAD = '# Printed from the kinds by "npm run print"; edit those.\n'
