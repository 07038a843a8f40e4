import { type KubeObject, list, object, resource, type Shape, text } from '../../kit/schema.ts'
import { tarsResource } from '../names.ts'

export const MOST_RECORDED = 150

export const exitedPod = object(
  {},
  {
    uid: text({ doc: 'Identity of the pod: it stands here at most once.' }),
    name: text({ doc: 'Name of the pod.' }),
    id: text({ doc: 'Release that the pod ran.' }),
    nodeIP: text({ doc: 'Address of the node that the pod ran on.' }),
    podIP: text({ doc: 'Address that the pod had.' }),
    createTime: text({ doc: 'When the pod was created.' }),
    deleteTime: text({ doc: 'When the pod began to end.' }),
  },
)

const texitedrecord = object({
  app: text({ doc: 'App of the server whose pods these were.' }),
  server: text({ doc: 'Name of that server within its app.' }),
  pods: list(exitedPod, { maxItems: MOST_RECORDED, doc: 'Pods that are gone, the latest first.' }),
})
export type TExitedRecord = KubeObject & Shape<typeof texitedrecord>
export const TEXITEDRECORD = resource(tarsResource('TExitedRecord', 'texitedrecords'), texitedrecord)
