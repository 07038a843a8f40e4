import { expect, it } from 'vitest'
import { canonical } from '../../../../../src/kube/canonical-json.ts'
import type { Tree } from '../../../../../src/schema.ts'
import { configDigest } from '../../../../../webhooks/nacos/config/digest.ts'
import { statefulSetFor } from '../../../../../webhooks/nacos/nacos/objects/stateful-set.ts'
import { aNacos, aSubject } from '../../../../support/builders/nacos.ts'

const WRAPPER = {
  PodSpec: {
    priorityClassName: 'high',
    containers: [
      { name: 'my-nacos', env: [{ name: 'A', value: 'b' }] },
      { name: 'sidecar', image: 'a/b' },
    ],
  },
}
const MADE: readonly { readonly name: string; readonly spec: Tree; readonly digest: string }[] = [
  { name: 'a cluster', spec: {}, digest: '5401b2ce52ec38c4' },
  { name: 'one server', spec: { type: 'standalone', replicas: 1 }, digest: '1e4162c75181736c' },
  {
    name: 'one with MySQL and authentication',
    spec: { database: { type: 'mysql' }, certification: { enabled: true, token: 't' }, function_mode: 'naming' },
    digest: '0b216fa4e2a47c30',
  },
  {
    name: 'one with a claim',
    spec: { volume: { enabled: true, requests: { storage: '1Gi' } } },
    digest: '3f207462f277967c',
  },
  { name: 'one with an overlay', spec: { k8sWrapper: WRAPPER }, digest: '81b12e84f4d580dc' },
  { name: 'one of version 3', spec: { image: 'nacos/nacos-server:v3.0.0' }, digest: '8eb32946d07f97e2' },
]

/** Another digest restarts the pods of all who upgrade: what builds them otherwise is another template revision. */
it.each(MADE)('NC-STS-63 in revision 1 $name is built as it was', ({ spec, digest }) => {
  const { metadata, spec: built } = statefulSetFor(aSubject(aNacos(spec)))
  expect(metadata.annotations).toEqual({ 'nacos.io/template-revision': '1' })
  expect(configDigest(canonical(built))).toBe(digest)
})
