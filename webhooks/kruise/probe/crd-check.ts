import type { FamilyCommand } from '../../kit/controller.ts'
import { patches } from '../fields.ts'
import { ANNOTATIONS } from '../names.ts'
import { CRD_NAME } from './definition.ts'
import { type ProbedVersion, probed, type Support } from './probe.ts'

/** PATCH-DBG-1, PATCH-API-10 */
export const crdCheck: FamilyCommand = {
  name: 'daemonset-patches crd-check',
  doc: 'says whether this cluster keeps spec.patches of DaemonSets of apps.kruise.io, and what to do if not',
  namespace: {
    usual: 'default',
    says: 'where the dry run is tried; the person who asks needs the right to create DaemonSets of apps.kruise.io there',
  },
  async run({ live, namespace }) {
    const versions = await probed({ live, home: namespace })
    const remedies = versions.some(isLost) ? remediesFor(versions) : []
    return { text: textOf(versions, remedies), data: dataOf(versions, remedies), code: codeOf(versions) }
  },
}

const SAYS: Readonly<Record<Support, string>> = {
  kept: 'spec.patches is kept',
  pruned: 'the schema of the definition has no spec.patches, so the API server drops it before any webhook is called',
  stripped: 'a webhook or a conversion drops spec.patches, without a word to its author',
  unknown: 'the API server refuses the dry run, so it is not known whether spec.patches is kept',
}

const isLost = ({ result }: ProbedVersion) => result === 'pruned' || result === 'stripped'

function codeOf(versions: readonly ProbedVersion[]): 0 | 1 | 3 {
  if (versions.some(isLost)) return 1
  return versions.some(({ result }) => result === 'unknown') ? 3 : 0
}

/** The schema is never edited by us: OpenKruise brings its own with each release. */
function remediesFor(versions: readonly ProbedVersion[]): readonly string[] {
  const commands = versions.filter(({ hasField }) => !hasField).map(commandFor)
  const extend = 'add the field to each version of the definition, and run an OpenKruise whose webhook knows it'
  return [
    `put the list in annotation ${ANNOTATIONS.patches}, which OpenKruise keeps`,
    [extend, ...commands].join(commands.length === 0 ? '' : '\n    '),
    'without an OpenKruise in the cluster: install our definition, with --enable-daemonset-controller',
  ]
}

/** The API server takes it only if that version still stands at that place. */
function commandFor({ of: { version }, index }: ProbedVersion): string {
  const place = `/spec/versions/${index}`
  const path = `${place}/schema/openAPIV3Schema/properties/spec/properties/patches`
  const patch = [
    { op: 'test', path: `${place}/name`, value: version },
    { op: 'add', path, value: patches.json },
  ]
  return `kubectl patch crd ${CRD_NAME} --type=json --patch='${JSON.stringify(patch)}'`
}

function textOf(versions: readonly ProbedVersion[], remedies: readonly string[]): string {
  if (versions.length === 0) return `${CRD_NAME} is not defined here, so nothing is lost\n`
  const width = Math.max(...versions.map(({ of }) => of.version.length))
  const lines = versions.map(({ of, result }) => `${of.version.padEnd(width)}  ${result}: ${SAYS[result]}`)
  const advice = remedies.map((remedy, at) => `(${'abc'.charAt(at)}) ${remedy}`)
  return [...lines, ...(advice.length === 0 ? [] : ['', 'One of these helps:', ...advice]), ''].join('\n')
}

function dataOf(versions: readonly ProbedVersion[], remedies: readonly string[]) {
  return { crd: CRD_NAME, versions: versions.map(({ of, result }) => ({ version: of.version, result })), remedies }
}
