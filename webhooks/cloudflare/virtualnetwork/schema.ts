import { flag, type KubeObject, object, resource, type Shape, text } from '../../kit/schema.ts'
import { cloudflareDetails, statusOf, textsOfStatus } from '../fields.ts'
import { cloudflareResource } from '../names.ts'

const network = object(
  {},
  {
    spec: object(
      {},
      {
        name: text({ doc: 'Its name; that of the object when absent.', maxLength: 256 }),
        comment: text({ doc: 'A comment beside the mark of its owner.', maxLength: 256 }),
        isDefaultNetwork: flag({ doc: 'Whether routes without a network belong to it.', default: false }),
        cloudflare: cloudflareDetails,
      },
      'A virtual network.',
    ),
    status: statusOf({
      ...textsOfStatus('virtualNetworkId', 'accountId'),
      isDefault: flag({ doc: 'Whether it is the default network.' }),
    }),
  },
)
export type VirtualNetwork = KubeObject & Shape<typeof network>
export const VIRTUAL_NETWORK = resource(cloudflareResource('VirtualNetwork', 'virtualnetworks', 'Cluster'), network)
