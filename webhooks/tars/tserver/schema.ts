import { type KubeObject, object, resource, type Shape, text } from '../../kit.ts'
import { tarsResource } from '../names.ts'

/** As much of a TServer as the other kinds ask for. */
const tserver = object(
  {},
  {
    spec: object(
      {},
      {
        tars: object(
          {},
          {
            template: text({
              doc: 'The TTemplate that the configuration inherits from.',
            }),
          },
        ),
      },
    ),
  },
)
export type TServer = KubeObject & Shape<typeof tserver>
export const TSERVER = resource(tarsResource('TServer', 'tservers'), tserver)
