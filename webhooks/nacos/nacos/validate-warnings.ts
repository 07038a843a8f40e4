import type { Findings, Rule } from '../../kit/admission.ts'
import { imageOf } from './case.ts'
import type { Nacos } from './schema.ts'
import { isMerging, isOldWay, replicasOf, sourcesOf } from './shape.ts'

const KEEP = 'spec.volume.keepAfterDeletion'

/** What is stored as it is, and may not be what the author thinks. */
export const warningRules: readonly Rule<Nacos>[] = [
  {
    id: 'NC-ADM-24',
    field: 'spec.internalConfigRef',
    on: 'write',
    effect: 'warn',
    when: ({ next }) => isMerging(next),
    check: ({ next }) =>
      sourcesOf(next).some(({ owner }) => owner === 'internal') ? [] : [{ path: 'spec.internalConfigRef' }],
    message: () => "not set: the final file replaces all of the image's application.properties",
    remedy: 'set it',
  },
  {
    id: 'NC-ADM-28',
    field: 'spec.config',
    on: 'write',
    effect: 'warn',
    check: ({ next }) => (isMerging(next) && next.spec?.config ? [{ path: 'spec.config' }] : []),
    message: () => 'ignored when userConfigRef or internalConfigRef is set',
    remedy: 'remove it',
  },
  {
    id: 'NC-ADM-29',
    field: 'spec.config',
    on: 'write',
    effect: 'warn',
    when: ({ next }) => isOldWay(next),
    check: ({ next }) => (isReadBy(imageOf(next)) ? [] : [{ path: 'spec.config', value: imageOf(next) }]),
    message: () => 'this image does not read init.d/custom.properties',
    remedy: 'use userConfigRef/internalConfigRef',
  },
  {
    id: 'NC-ADM-30',
    field: 'spec.pgInit, spec.adminCredentialsSecretRef, spec.mysqlInitImage',
    on: 'write',
    effect: 'warn',
    check: ({ next }) => unperformed(next),
    message: () => 'not performed by this operator',
    remedy: 'do it by hand, and remove the field',
  },
  {
    id: 'NC-STS-55',
    field: 'spec.volume.hostPath',
    on: 'write',
    effect: 'warn',
    when: ({ next }) => replicasOf(next) > 1,
    check: ({ next }) => (next.spec?.volume?.hostPath ? [{ path: 'spec.volume.hostPath' }] : []),
    message: () => 'two members on one node share the directory',
    remedy: 'take a claim, or keep them apart',
  },
  {
    id: 'NC-STS-52',
    field: KEEP,
    on: 'write',
    effect: 'warn',
    check: ({ next }) => (next.spec?.volume?.keepAfterDeletion === false ? [{ path: KEEP }] : []),
    message: () => 'has no effect: claims are always kept',
    remedy: 'delete them by hand',
  },
]

/** Images up to 1.4.4, and of 2.0 up to 2.1.0 (NC-BC-04). Of an image without a version nothing is known. */
function isReadBy(image: string): boolean {
  const [major, minor, patch] = versionIn(image)
  if (major === undefined || minor === undefined || patch === undefined) return true
  if (major === 1) return minor < 4 || (minor === 4 && patch <= 4)
  return major === 2 && (minor === 0 || (minor === 1 && patch === 0))
}

/** Of the tag: what follows the last colon behind the last slash. */
function versionIn(image: string): readonly number[] {
  const [, tag = ''] =
    image
      .slice(image.lastIndexOf('/') + 1)
      .split('@')[0]
      ?.split(':') ?? []
  const [, ...parts] = /^v?(\d{1,4})\.(\d{1,4})\.(\d{1,4})(?:[-.+_]|$)/.exec(tag) ?? []
  return parts.map(Number)
}

function unperformed({ spec }: Nacos): Findings {
  const asked = {
    pgInit: spec?.pgInit?.enabled === true,
    adminCredentialsSecretRef: spec?.adminCredentialsSecretRef !== undefined,
    mysqlInitImage: Boolean(spec?.mysqlInitImage),
  }
  return Object.entries(asked).flatMap(([field, is]) => (is ? [{ path: `spec.${field}` }] : []))
}
