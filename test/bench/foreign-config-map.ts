import type { Built } from '../../src/cluster/port.ts'

const CONTENT = 'setting=value\n'.repeat(700)

/** Of a chart that has nothing to do with Nacos. */
export function foreignConfigMap(i: number): Built {
  const labels = {
    'app.kubernetes.io/name': 'shop',
    'app.kubernetes.io/instance': `shop-${i}`,
    'app.kubernetes.io/managed-by': 'Helm',
    'helm.sh/chart': 'shop-1.2.3',
  }
  const annotations = { 'meta.helm.sh/release-name': `shop-${i}`, 'meta.helm.sh/release-namespace': 'bench' }
  const metadata = { namespace: 'bench', name: `shop-config-${i}`, labels, annotations }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'shop.properties': CONTENT } }
}
