import { SUBDOMAIN_LENGTH, SUBDOMAIN_OR_EMPTY } from '../../../src/kube/names.ts'
import { type KubeObject, object, resource, type Shape, text } from '../../kit/schema.ts'
import { tarsResource } from '../names.ts'

const ttemplate = object({
  spec: object(
    {
      parent: text({
        maxLength: SUBDOMAIN_LENGTH,
        pattern: SUBDOMAIN_OR_EMPTY,
        doc: 'The TTemplate of this namespace that this one inherits from; its own name for a root template.',
      }),
      content: text({
        maxLength: 1_560_000,
        doc: 'Configuration in TARS format, laid over that of the parent.',
      }),
    },
    {},
    'What servers that name this template inherit.',
  ),
})
export type TTemplate = KubeObject & Shape<typeof ttemplate>
export const TTEMPLATE = resource(tarsResource('TTemplate', 'ttemplates'), ttemplate)
