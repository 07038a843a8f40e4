import type { Stored } from '../../src/cluster/port.ts'

const LINE = '      async-invoke-timeout=5000\n'

/** As the API server sends it: managed fields and all; `bytes` is about the size of the whole review. */
export function template(name: string, parent: string, bytes = 300): Stored {
  const spec = {
    parent,
    content: `<tars>\n${LINE.repeat(Math.max(0, Math.round((bytes - 300) / LINE.length)))}</tars>\n`,
  }
  const labels = parent === name ? {} : { 'tars.io/Parent': parent }
  return { apiVersion: 'k8s.tars.io/v1beta2', kind: 'TTemplate', metadata: { name, namespace: 'bench', labels }, spec }
}

const REVIEW_REST = 1_500
const KIND = { group: 'k8s.tars.io', version: 'v1beta2', kind: 'TTemplate' }
const RESOURCE = { group: 'k8s.tars.io', version: 'v1beta2', resource: 'ttemplates' }
/** Of `managedFields`, as the API server keeps them. */
export const MANAGED = {
  apiVersion: 'k8s.tars.io/v1beta2',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': { '.': {}, 'f:content': {}, 'f:parent': {} } },
  manager: 'kubectl-create',
  operation: 'Update',
  time: '2026-11-18T12:01:02Z',
}

export interface Size {
  /** Of the whole review, about. */
  readonly bytes: number
}

/** The review of a CREATE. */
export function creation(name: string, parent: string, { bytes, labelled }: Size & { labelled: boolean }): object {
  const object = sent(name, parent, bytes, labelled)
  return review(name, { operation: 'CREATE', object, oldObject: null })
}

/** Of an UPDATE that leaves the parent as it is: each of the two objects has so many bytes. */
export function change(name: string, parent: string, { bytes }: Size): object {
  const oldObject = sent(name, parent, bytes, true)
  return review(name, { operation: 'UPDATE', object: sent(name, parent, bytes, true), oldObject })
}

export function deletion(name: string, parent: string, { bytes }: Size): object {
  return review(name, { operation: 'DELETE', object: null, oldObject: sent(name, parent, bytes, true) })
}

function sent(name: string, parent: string, bytes: number, labelled: boolean): object {
  const { metadata, ...object } = template(name, parent, bytes - REVIEW_REST)
  const { labels, ...bare } = metadata
  const stored = labelled && { labels, uid: 'd5a1', creationTimestamp: '2026-11-18T12:01:02Z' }
  return { ...object, metadata: { ...bare, ...stored, managedFields: [MANAGED] } }
}

function review(name: string, asked: { operation: string; object: object | null; oldObject: object | null }): object {
  return {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: 'fb78c8f3-4a56-4433-a674-aa2d943f728a',
      ...{ kind: KIND, resource: RESOURCE, requestKind: KIND, requestResource: RESOURCE },
      ...{ name, namespace: 'bench', ...asked },
      userInfo: { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] },
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', fieldManager: 'kubectl-create' },
    },
  }
}
