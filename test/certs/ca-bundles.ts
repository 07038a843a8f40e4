import { beforeAll } from 'vitest'
import { issueAuthority } from '../../certs/authority.ts'

export const service = { namespace: 'tars-system', name: 'tars-webhook-service' }
export const ours = { service, url: 'https://127.0.0.1:9443' }
export const toService = { service: { ...service, path: '/validating', port: 443 } }
export const now = new Date()

// The hooks below set these for each test file that imports this one.
export let ca: string
export let other: string
beforeAll(async () => {
  ca = (await issueAuthority(now)).cert
  other = (await issueAuthority(now, 'CN=other')).cert
})

export type ClientConfig = Readonly<Record<string, unknown>>
export const webhooks = (...configs: readonly ClientConfig[]) => ({
  webhooks: configs.map((clientConfig, i) => ({ name: `w${i}.tars.io`, clientConfig })),
})
export const base64 = (text: string) => Buffer.from(text).toString('base64')
export const text = (value: unknown) => Buffer.from(String(value), 'base64').toString()
