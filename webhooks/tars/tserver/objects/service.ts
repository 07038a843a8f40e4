import type { Built } from '../../../kit/controller.ts'
import type { TServer } from '../schema.ts'
import { placesOf, type Spec } from '../shape.ts'
import { labelsOf, metadataFor } from './subject.ts'
import { filled, firsts } from './written-form.ts'

/** MP-1…3. It is headless: it gives the pods their names, and balances nothing. */
export function serviceFor(server: TServer): Built {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadataFor(server),
    spec: {
      type: 'ClusterIP',
      clusterIP: 'None',
      sessionAffinity: 'None',
      selector: labelsOf(server),
      ...filled({ ports: servicePorts(server.spec) }),
    },
  }
}

function servicePorts(spec: Spec) {
  const ports = firsts(placesOf(spec), ({ port, protocol }) => `${port} ${protocol}`)
  return ports.map(({ name, port, protocol }) => ({ name: name.toLowerCase(), port, targetPort: port, protocol }))
}
