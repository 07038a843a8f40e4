import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Built } from '../../src/cluster/port.ts'
import { CONFIG_MAP_TEXTS } from '../support/nacos-texts/config-maps.ts'
import { NACOS_TEXTS, type RuleText } from '../support/nacos-texts/rules.ts'
import { configMapsOnStage, NACOS_ON_STAGE } from '../support/nacos-texts/stage.ts'
import { STATE_TEXTS } from '../support/nacos-texts/states.ts'
import type { Cluster } from './client.ts'
import { at, type NacosStage, nacosIn, nacosOf, sourceOf } from './nacos-workplace.ts'
import { expectDone } from './product.ts'
import { until } from './until.ts'

/** Made without the annotation of an apply, for which a source of a megabyte is too large. */
async function made(cluster: Cluster, namespace: string, objects: readonly Built[]): Promise<void> {
  const stdin = objects.map((each) => JSON.stringify(each)).join('\n---\n')
  expectDone(await cluster.kubectl(['create', `--namespace=${namespace}`, '-f', '-'], { stdin }))
}

const DOORS = { Nacos: 'validating-nacos.nacos.io', ConfigMap: 'validating-configmap.nacos.io' }
function printed({ of, name, effect, says }: RuleText, namespace: string): string {
  const words = says.replace('<namespace>', namespace)
  if (effect === 'warned') return `Warning: ${words}`
  if (effect === 'refused') return `The ${of} "${name}" is invalid: ${words}`
  return `Error from server (Forbidden): admission webhook "${DOORS[of]}" denied the request: ${words}`
}

/** What kubectl prints for each text of a rule. The webhook runs with `--nacos-protected-keys=db.*`. */
export function ruleTexts(cluster: Cluster): void {
  const namespace = 'nacos-rules'
  const place = nacosIn(cluster, namespace)
  const folder = mkdtempSync(join(tmpdir(), 'nacos-rules-'))
  beforeAll(async () => {
    expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
    await made(cluster, namespace, NACOS_ON_STAGE)
    const uids = new Map(
      (await place.all('nacos')).map((each) => [at(each, 'metadata', 'name'), at(each, 'metadata', 'uid')]),
    )
    await made(
      cluster,
      namespace,
      configMapsOnStage((name) => String(uids.get(name))),
    )
  }, 60_000)
  afterAll(async () => {
    rmSync(folder, { recursive: true })
    await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=50s'])
  }, 60_000)

  function asked({ of, name, create, patch }: RuleText) {
    const dryly = [`--namespace=${namespace}`, '--dry-run=server']
    if (create !== undefined) return cluster.kubectl(['create', ...dryly, '-f', '-'], { stdin: JSON.stringify(create) })
    if (patch === undefined) return cluster.kubectl(['delete', of, name, ...dryly])
    const file = join(folder, 'patch.json')
    writeFileSync(file, JSON.stringify(patch))
    return cluster.kubectl(['patch', of, name, ...dryly, '--type=merge', `--patch-file=${file}`])
  }

  it.each([...NACOS_TEXTS, ...CONFIG_MAP_TEXTS])('kubectl prints: $says', async (text) => {
    const { stderr } = await asked(text)
    expect(stderr.split('\n')).toContain(printed(text, namespace))
  })
}

/** What kubectl prints of conditions and events. */
export function stateTexts({ suite }: NacosStage): void {
  const { cluster } = suite
  const place = nacosIn(cluster, 'nacos-texts')
  beforeAll(async () => {
    expectDone(await cluster.kubectl(['create', 'namespace', place.namespace]))
    await suite.product.withoutWebhook(async () => {
      for (const { nacos, beside } of STATE_TEXTS) await made(cluster, place.namespace, [...beside, nacos])
    })
  }, 120_000)
  afterAll(async () => void (await cluster.kubectl(['delete', 'namespace', place.namespace, '--wait=false'])))

  const rows = STATE_TEXTS.map((text) => ({ ...text, name: text.nacos.metadata.name }))
  it.each(rows)('kubectl prints of $name what its conditions and events say', async ({ name, conditions, events }) => {
    const messages = Object.entries(conditions).map(([type, message]) => `${type}: ${message}`)
    await place.says(name, [...messages, ...events])
  })

  it('NC-STS-65 kubectl prints the way to take over a StatefulSet of another operator', async () => {
    await place.apply(sourceOf('internal', 'other', 'a=1'), nacosOf('other'))
    await until('it is held', async () => (await place.seen('other')).reasons.ConfigReady === 'SourceMissing')
    await made(cluster, place.namespace, [
      setOf('other', String(at(await place.read('nacos', 'other'), 'metadata', 'uid'))),
    ])
    const words =
      'StatefulSet other was made by another operator; take it over with: kubectl delete statefulset other --namespace=nacos-texts --cascade=orphan'
    await place.says('other', [`ChildrenReady: ${words}`, `TakeOverDrift: ${words}`])
  })

  it('NC-STS-45 kubectl prints what the API server refuses in its words', async () => {
    const k8sWrapper = { PodSpec: { restartPolicy: 'Never' } }
    await place.apply(
      sourceOf('internal', 'refused', 'a=1'),
      sourceOf('user', 'refused', 'b=2'),
      nacosOf('refused', { k8sWrapper }),
    )
    await place.says('refused', [
      'ChildrenReady: StatefulSet: StatefulSet.apps "refused" is invalid: spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ])
  })
}

function setOf(name: string, uid: string): Built {
  const labels = { app: name }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'x', image: 'x' }] } }
  const ownerReferences = [{ apiVersion: 'nacos.io/v1alpha1', kind: 'Nacos', name, uid, controller: true }]
  return {
    ...{ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name, ownerReferences } },
    spec: { replicas: 0, serviceName: name, selector: { matchLabels: labels }, template },
  }
}
