import type { Kind, Rule } from '../../kit/admission.ts'
import type { KubeObject } from '../../kit/schema.ts'
import { MUTATOR, VALIDATOR } from '../doors.ts'
import { PODTEMPLATE } from './deep.ts'
import { NODE } from './nodes.ts'
import { MUTATORS, RUNTIMECLASS, VALIDATORS } from './surroundings.ts'
import { documentRules } from './validate-document.ts'
import { listRules } from './validate-list.ts'
import { resultRules } from './validate-result.ts'
import { warningRules } from './validate-warnings.ts'

/** All rules on patches, in the order of their findings. */
export const patchRules: readonly Rule<KubeObject>[] = [...listRules, ...documentRules, ...resultRules, ...warningRules]

/** What these rules look up. */
export const PATCH_READS: Kind['reads'] = [
  { resource: NODE, keeps: { fields: [] } },
  { resource: PODTEMPLATE, asks: ['dry-run create'] },
  { resource: RUNTIMECLASS, asks: ['get'] },
  { resource: MUTATORS, asks: ['get'], names: [MUTATOR] },
  { resource: VALIDATORS, asks: ['get'], names: [VALIDATOR] },
]
