import { defineKind, type Kind } from '../../kit/admission.ts'
import { object, resource } from '../../kit/schema.ts'
import { DAEMONSETS } from '../daemonsets.ts'
import { MUTATOR, VALIDATE } from '../doors.ts'
import { PODTEMPLATE } from './deep.ts'
import { NODE } from './nodes.ts'
import { MUTATORS, RUNTIMECLASS, VALIDATOR, VALIDATORS } from './surroundings.ts'
import { documentRules } from './validate-document.ts'
import { listRules } from './validate-list.ts'
import { resultRules } from './validate-result.ts'
import { warningRules } from './validate-warnings.ts'

const rules = [...listRules, ...documentRules, ...resultRules, ...warningRules]

/**
 * Without a schema: the API server or OpenKruise checks the rest of a DaemonSet, and the rules read its patches whatever
 * their shape.
 */
export const daemonSets: readonly Kind[] = DAEMONSETS.map((names) =>
  defineKind({
    resource: resource(names, object({})),
    doors: [VALIDATE],
    reads: [
      { resource: NODE, keeps: { fields: [] } },
      { resource: PODTEMPLATE, asks: ['dry-run create'] },
      { resource: RUNTIMECLASS, asks: ['get'] },
      { resource: MUTATORS, asks: ['get'], names: [MUTATOR] },
      { resource: VALIDATORS, asks: ['get'], names: [VALIDATOR] },
    ],
    validate: rules,
  }),
)
