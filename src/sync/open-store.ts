import { OPTIONS, type Options } from './options/options.ts'
import type { Around, OpenStore, Store, StoreOptions } from './store.ts'

/** Loads the store that is asked for, and no other. */
export async function openStore(options: Options, around: Around): Promise<Store> {
  const open = await opening(options.of(OPTIONS.backend))
  return open(storeOptions(options), around)
}

async function opening(backend: string): Promise<OpenStore> {
  switch (backend) {
    case 'env': {
      const { envStore } = await import('./stores/env.ts')
      return () => envStore(() => process.env)
    }
    case 'file':
      return (await import('./stores/file/store.ts')).fileStore
    case 'redis':
      return (await import('./stores/redis/store.ts')).redisStore
    default:
      return (await import('./stores/etcd/store.ts')).etcdStore
  }
}

function storeOptions(options: Options): StoreOptions {
  return {
    nodes: options.of(OPTIONS.nodes),
    clientCert: options.of(OPTIONS.clientCert),
    clientKey: options.of(OPTIONS.clientKey),
    clientCaKeys: options.of(OPTIONS.clientCaKeys),
    clientInsecure: options.of(OPTIONS.clientInsecure),
    username: options.of(OPTIONS.username),
    password: options.of(OPTIONS.password),
    passwordFile: options.of(OPTIONS.passwordFile),
    separator: options.of(OPTIONS.separator),
    files: options.of(OPTIONS.file),
    filter: options.of(OPTIONS.filter),
    timeoutMs: options.of(OPTIONS.backendTimeout),
  }
}
