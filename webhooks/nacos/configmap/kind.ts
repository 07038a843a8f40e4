import { defineKind } from '../../kit/admission.ts'
import { VALIDATE_CONFIG_MAPS } from '../doors.ts'
import { CONFIG_MAP } from '../kubernetes.ts'
import { NACOS } from '../nacos/schema.ts'
import { finalRules } from './validate-final.ts'
import { sizeRule } from './validate-size.ts'
import { sourceDeletion, sourceUpdateRules } from './validate-source.ts'

/** The ConfigMaps that Nacos are configured by: sources, and what is merged from them. */
export const nacosConfigMap = defineKind({
  resource: CONFIG_MAP,
  doors: [VALIDATE_CONFIG_MAPS],
  reads: [
    { resource: NACOS, asks: ['get', 'list'] },
    { resource: CONFIG_MAP, asks: ['get'] },
  ],
  validate: [...sourceUpdateRules, sizeRule, sourceDeletion, ...finalRules],
})
