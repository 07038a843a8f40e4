import { flag, setting } from '../../kit/schema.ts'

export const LABEL_NODES = setting(
  'labelNodes',
  flag({ doc: 'label Nodes that serve the framework of any namespace with tars.io/node', default: true }),
)
