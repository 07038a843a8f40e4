import type { Built, Words } from '../../../src/cluster/port.ts'
import { GOING } from './templates.ts'

export interface ConfigWishes {
  readonly name?: string
  readonly namespace?: string
  readonly app?: string
  readonly server?: string
  readonly configName?: string
  readonly podSeq?: string
  readonly activated?: boolean
  readonly content?: string
  readonly version?: string
  readonly updateTime?: string
  readonly updatePerson?: string
  readonly updateReason?: string
  /** Beside those that the mutations set. */
  readonly labels?: Words
  readonly annotations?: Words
  readonly created?: string
  /** Waits for its finalizers. */
  readonly going?: boolean
}

/** As the mutations left it: version `v1` of `Demo.Echo/echo.conf` for all pods, in force. */
export function aTConfig(wishes: ConfigWishes = {}): Built {
  const { name = 'v1', namespace = 'demo', labels = {}, annotations = {}, created, going = false } = wishes
  const { app = 'Demo', server = 'Echo', configName = 'echo.conf', podSeq = 'm', activated = true } = wishes
  const { content = 'a=1', version = '20260101000000-1', updateTime = '2026-01-01T00:00:00Z' } = wishes
  const { updatePerson, updateReason } = wishes
  const mirrored = {
    'tars.io/ServerApp': app,
    'tars.io/ServerName': server,
    'tars.io/Activated': String(activated),
    'tars.io/ConfigName': configName,
    'tars.io/PodSeq': podSeq,
    'tars.io/Version': version,
  }
  return {
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TConfig',
    metadata: {
      name,
      namespace,
      uid: `uid-of-${name}`,
      resourceVersion: '7',
      labels: { ...mirrored, ...labels },
      annotations,
      ...(created !== undefined && { creationTimestamp: created }),
      ...(going && GOING),
    },
    ...{ app, server, configName, podSeq, activated, version, updateTime },
    configContent: content,
    ...(updatePerson !== undefined && { updatePerson }),
    ...(updateReason !== undefined && { updateReason }),
  }
}

/** As an author writes it: what the mutations add is still to come. */
export function aDraftOfTConfig({ name = 'v1', ...more }: { readonly name?: string } & Words = {}): Built {
  return {
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TConfig',
    metadata: { name, namespace: 'demo' },
    app: 'Demo',
    server: 'Echo',
    configName: 'echo.conf',
    configContent: 'a=1',
    ...more,
  }
}

export const DEACTIVATING = { 'tars.io/Deactivate': 'Deactivating', 'tars.io/Deactivating': '' } as const
export const DELETING = { 'tars.io/Deleting': '' } as const
