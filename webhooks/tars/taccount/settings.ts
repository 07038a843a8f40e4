import { flag, integer, setting } from '../../kit/schema.ts'

export const BCRYPT_COST = setting(
  'bcryptCost',
  integer({ doc: 'cost of the bcrypt hash of a TAccount password', default: 10, minimum: 4, maximum: 12 }),
)

export const DROP_EXPIRED_TOKENS = setting(
  'dropExpiredTokens',
  flag({ doc: 'remove expired tokens from TAccounts', default: true }),
)
