import type { StoreOptions } from '../../../src/sync/store.ts'

export function storeOptions(given: Partial<StoreOptions> = {}): StoreOptions {
  return {
    nodes: [],
    clientCert: '',
    clientKey: '',
    clientCaKeys: '',
    clientInsecure: false,
    username: '',
    password: '',
    passwordFile: '',
    separator: '',
    files: [],
    filter: '',
    timeoutMs: 3_000,
    ...given,
  }
}
