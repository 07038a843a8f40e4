import type { Built } from '../../../src/cluster/port.ts'

interface FrameworkConfigWishes {
  readonly name?: string
  readonly namespace?: string
  readonly recordLimit?: object
  readonly nodeImage?: object
}

export function aTFrameworkConfig({
  name = 'tars-framework',
  namespace = 'demo',
  recordLimit = { texitedPod: 48, tconfigHistory: 48, timageRelease: 48 },
  nodeImage = { image: 'tarscloud/tars.tarsnode:v1', secret: '' },
}: FrameworkConfigWishes = {}): Built {
  return {
    apiVersion: 'k8s.tars.io/v1beta2',
    kind: 'TFrameworkConfig',
    metadata: { name, namespace },
    imageRegistry: { registry: 'registry.example/tars', secret: '' },
    nodeImage,
    recordLimit,
    upChain: {},
    expand: {},
  }
}
