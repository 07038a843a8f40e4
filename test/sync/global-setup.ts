import type { TestProject } from 'vitest/node'
import { binaries } from '../cluster/binaries.ts'
import { confd } from './confd.ts'
import { debianPrograms } from './debian.ts'

/** The programs that the suites start. */
export interface Components {
  readonly confd: string
  readonly etcd: string
  readonly redis: string
  readonly nginx: string
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly components: Components
  }
}

/** Finds or builds them all before the first suite, so that what is missing is said once. */
export default async function components(project: TestProject): Promise<void> {
  const { 'redis-server': redis, nginx } = debianPrograms()
  project.provide('components', { confd: await confd(), etcd: (await binaries()).etcd, redis, nginx })
}
