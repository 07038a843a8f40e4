import { flag, setting } from '../../kit/schema.ts'

export const CREATE_TREE = setting(
  'createTree',
  flag({ doc: 'create the TTree of a namespace that has TServers and none', default: true }),
)
