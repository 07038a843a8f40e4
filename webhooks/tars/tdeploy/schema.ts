import { flag, type KubeObject, moment, object, resource, type Shape, text } from '../../kit/schema.ts'
import { tarsResource } from '../names.ts'
import { SPEC_MAY, SPEC_MUST } from '../tserver/schema.ts'

const apply = object(
  SPEC_MUST,
  {
    ...SPEC_MAY,
    mark: text({ maxLength: 300, doc: 'What else there is to say of the request.' }),
    person: text({ maxLength: 100, doc: 'Who asks.' }),
  },
  'The server that is asked for, as spec of its TServer, but without a release.',
)

const approve = object(
  {
    person: text({
      maxLength: 16,
      pattern: '^[a-zA-Z][a-zA-Z0-9_.-]{0,15}$',
      doc: 'Who decided, by the name that the console knows.',
    }),
    time: moment({ doc: 'When it was decided.' }),
    reason: text({ maxLength: 300, doc: 'Why.' }),
    result: flag({ doc: 'Whether the server is to be.' }),
  },
  {},
  'The decision; it is made once, after the request was created.',
)

const tdeploy = object(
  { apply },
  {
    approve,
    deployed: flag({ doc: 'Whether the TServer was created; the controller says so.' }),
  },
)
export type TDeploy = KubeObject & Shape<typeof tdeploy>
export const TDEPLOY = resource(tarsResource('TDeploy', 'tdeploys'), tdeploy)
