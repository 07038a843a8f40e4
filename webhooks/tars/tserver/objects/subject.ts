import type { Given } from '../../../kit/controller.ts'
import type { Found } from '../../../kit/schema.ts'
import { LABELS } from '../../names.ts'
import type { TFrameworkConfig } from '../../tframeworkconfig/schema.ts'
import { TSERVER, type TServer } from '../schema.ts'

/** All that the objects of a server depend on. */
export interface Subject {
  readonly server: TServer
  /** The TFrameworkConfig of the namespace. */
  readonly config: Found<TFrameworkConfig> | undefined
  readonly given: Pick<Given, 'profile' | 'settings'>
}

/** The uid of a server that is not stored yet, in `review --plan`. */
const NO_UID = '00000000-0000-0000-0000-000000000000'

/** The metadata of each object: MP-1, MP-5 and MP-40. Its owner is the server (TS-R6). */
export function metadataFor(server: TServer) {
  const { name, namespace } = refOf(server)
  return { name, namespace, labels: labelsOf(server), ownerReferences: [ownerOf(server)] }
}

const ownerOf = ({ metadata: { name, uid = NO_UID } }: TServer) => ({
  apiVersion: `${TSERVER.group}/${TSERVER.version}`,
  kind: TSERVER.kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
})

/** Both labels. Each call builds new ones: YAML prints an object that occurs twice as an alias. */
export const labelsOf = ({ spec: { app, server } }: TServer) => ({ [LABELS.app]: app, [LABELS.server]: server })

export const refOf = ({ metadata: { name, namespace = '' } }: TServer) => ({ name, namespace })
