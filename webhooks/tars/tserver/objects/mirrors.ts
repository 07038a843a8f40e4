import type { Built } from '../../../kit/controller.ts'
import { TENDPOINT } from '../../tendpoint/schema.ts'
import { TEXITEDRECORD } from '../../texitedrecord/schema.ts'
import type { TServer } from '../schema.ts'
import { metadataFor } from './subject.ts'
import { filled } from './written-form.ts'

/** TE-R1: what the registry reads of a TServer. */
export function endpointFor(server: TServer): Built {
  const { app, server: name, subType, important, tars, normal, release, k8s } = server.spec
  return {
    apiVersion: `${TENDPOINT.group}/${TENDPOINT.version}`,
    kind: TENDPOINT.kind,
    metadata: metadataFor(server),
    spec: { app, server: name, subType, ...filled({ important, tars, normal, release, hostPorts: k8s.hostPorts }) },
  }
}

/** TX-R1, as it is created. */
export function exitedRecordFor(server: TServer): Built {
  const { app, server: name } = server.spec
  return {
    apiVersion: `${TEXITEDRECORD.group}/${TEXITEDRECORD.version}`,
    kind: TEXITEDRECORD.kind,
    metadata: metadataFor(server),
    app,
    server: name,
    pods: [],
  }
}
