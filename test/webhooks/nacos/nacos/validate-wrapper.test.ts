import { describe } from 'vitest'
import type { Tree } from '../../../../src/schema.ts'
import { BOTH, itSays, itSaysOfOld, refused } from './admitting.ts'

describe('NC-ADM-19 the overlay leaves the configuration alone', () => {
  const says = (path: string, text: string) =>
    refused(`spec.k8sWrapper${path}: ${text}; correct the overlay, or take that part of it away (NC-ADM-19)`)
  const overlay = (PodSpec: Tree) => ({ ...BOTH, k8sWrapper: { PodSpec } })
  const mounting = (mountPath: string, name = 'own') =>
    overlay({ containers: [{ name: 'n', volumeMounts: [{ name, mountPath }] }] })
  const volume = (rest: Tree) => overlay({ volumes: [{ name: 'config', ...rest }] })
  const mount = says(
    '.PodSpec',
    'mount path /home/nacos/conf/application.properties is managed through finalConfigName',
  )
  const replaced = says('.PodSpec', 'volume config is managed through finalConfigName')

  itSaysOfOld([
    { name: 'one overlay passes', spec: overlay({ tolerations: [] }) },
    {
      name: 'two are refused',
      spec: { k8sWrapper: { PodSpec: {}, podSpec: {} } },
      says: says('', 'set only one of PodSpec and podSpec'),
    },
    { name: 'another mount at the path', spec: mounting('/home/nacos/conf/application.properties'), says: mount },
    { name: 'the path in other words', spec: mounting('/home//nacos/conf/application.properties/'), says: mount },
    {
      name: 'a mount of its own volume passes (NC-STS-26)',
      spec: mounting('/home/nacos/conf/application.properties', 'config'),
    },
    {
      name: 'an overlay that cannot be merged, of however many members',
      spec: { ...overlay({ volumes: ['x'] }), replicas: 1_000 },
      says: says('.PodSpec', 'cannot be merged: spec.volumes: has elements of several types'),
    },
    { name: 'another path passes', spec: mounting('/home/nacos/conf/other') },
    {
      name: 'a mount of a sidecar passes',
      spec: overlay({
        containers: [
          {
            name: 's',
            image: 'a',
            volumeMounts: [{ name: 'x', mountPath: '/home/nacos/conf/application.properties' }],
          },
        ],
      }),
    },
    { name: 'another source of the volume', spec: volume({ emptyDir: {} }), says: replaced },
    { name: 'another ConfigMap', spec: volume({ configMap: { name: 'x' } }), says: replaced },
    { name: 'other items', spec: volume({ configMap: { items: [] } }), says: replaced },
    { name: 'a volume of a wrong shape', spec: volume({ configMap: 'x' }), says: replaced },
    {
      name: 'its mode passes',
      spec: volume({ configMap: { name: 'n-final-config', defaultMode: 256, optional: true } }),
    },
    {
      name: 'without sources any volume passes',
      spec: { k8sWrapper: { PodSpec: { volumes: [{ name: 'config', emptyDir: {} }] } } },
    },
  ])
  itSays([
    {
      name: 'a sidecar with an image passes',
      spec: overlay({ containers: [{ name: 's', image: 'a' }, { name: 'n' }] }),
    },
    {
      name: 'one without',
      spec: overlay({ containers: [{ name: 'nacos' }, { name: 'n' }] }),
      says: says('.PodSpec.containers', '"nacos" has no image; the Nacos container must be named "n"'),
    },
  ])
})
