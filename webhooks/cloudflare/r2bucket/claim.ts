import type { Claiming } from '../claims.ts'
import type { R2Bucket } from './schema.ts'

export const claimOfBucket: Claiming<R2Bucket> = ({ metadata, spec }) => {
  const name = spec?.name || metadata?.name
  if (!name) return undefined
  const scope = { credentials: spec?.credentialsRef?.name }
  return { natural: `r2/${name}`, keys: [`r2/${name}`], words: `bucket ${name}`, field: 'spec.name', scope }
}
