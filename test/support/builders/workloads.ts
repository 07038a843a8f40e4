import type { Built, Words } from '../../../src/cluster/port.ts'

interface WorkloadWishes {
  readonly name?: string
  /** Those of the controller when absent. */
  readonly labels?: Words
}

export const OF_SERVER: Words = { 'tars.io/ServerApp': 'Demo', 'tars.io/ServerName': 'Echo' }

export function aService({ name = 'demo-echo', labels = OF_SERVER }: WorkloadWishes = {}): Built {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'demo', labels },
    spec: { clusterIP: 'None', selector: labels, ports: [{ name: 'echoobj', port: 10_000 }] },
  }
}

export function aWorkload(
  kind: 'StatefulSet' | 'DaemonSet',
  { name = 'demo-echo', labels = OF_SERVER }: WorkloadWishes = {},
): Built {
  const template = { metadata: { labels }, spec: { containers: [{ name, image: 'registry.example/echo:v1' }] } }
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace: 'demo', labels },
    spec: { selector: { matchLabels: labels }, template, ...(kind === 'StatefulSet' && { serviceName: name }) },
  }
}
