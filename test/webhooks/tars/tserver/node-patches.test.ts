import { describe, expect, it } from 'vitest'
import type { Readers, Words } from '../../../../src/cluster/port.ts'
import { Fault } from '../../../../src/faults.ts'
import type { Tree } from '../../../../src/schema.ts'
import { settingsOf } from '../../../../src/setting.ts'
import { failure } from '../../../../webhooks/kruise/metrics.ts'
import { tars } from '../../../../webhooks/tars/family.ts'
import { answered, VALIDATING } from '../../../support/answerer-parts.ts'
import { aRelease, aTServer } from '../../../support/builders/servers.ts'
import { readerOf, readersOf } from '../../../support/fakes/readers.ts'
import { answerTo, base, creationOf, onUpdate, refused, there, updateOf } from './validating.ts'

const LIST = 'daemonset.kruise.io/patches'
const AT = `metadata.annotations[${LIST}]`
const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { namespace: '', name: 'n1', labels: { disk: 'large' } },
}
const withNode = readersOf(base, NODE)

const selector = { matchLabels: { disk: 'large' } }
const env = (name: string) => ({
  selector,
  patch: { spec: { containers: [{ name, env: [{ name: 'A', value: '1' }] }] } },
})
const GOOD = env('demo-echo')
const UNKNOWN_CONTAINER = env('echo')
const annotated = (...entries: readonly unknown[]) => ({ [LIST]: JSON.stringify(entries) })
const onNodes = (annotations: Words, k8s: Tree = {}) =>
  aTServer({ annotations, release: aRelease(), k8s: { daemonSet: true, ...k8s } })
const noImage = `${AT}[0].patch.spec.containers[0]: container "echo" is not in the template; a new container needs an image; name one of the template, or give it an image (PATCH-API-4, PATCH-V-21)`

describe('PATCH-API-4 the list of a TServer is judged as that of the DaemonSet that the worker makes', () => {
  const onCreate = (object: unknown, readers: Readers = withNode) => answerTo(creationOf(object), readers)

  it.each([
    { name: 'a good one passes', annotations: annotated(GOOD), answer: 'allowed' },
    { name: 'an empty one passes', annotations: { [LIST]: '' }, answer: 'allowed' },
    {
      name: 'one that is no list',
      annotations: { [LIST]: '{}' },
      answer: refused(
        `${AT}: not a JSON array: expected an array; write a JSON array, no YAML, each key once (PATCH-API-4, PATCH-V-02)`,
      ),
    },
    {
      name: 'a container that its pods do not have',
      annotations: annotated(UNKNOWN_CONTAINER),
      answer: refused(noImage),
    },
    {
      name: 'a label by which its pods are known',
      annotations: annotated({ selector, patch: { metadata: { labels: { 'tars.io/ServerApp': 'x' } } } }),
      answer: expect.stringMatching(/tars.io\/ServerApp.*\(PATCH-API-4, PATCH-V-10\)/),
    },
    {
      name: 'a mount of a volume that its pods do not have',
      annotations: annotated({
        selector,
        patch: { spec: { containers: [{ name: 'demo-echo', volumeMounts: [{ name: 'x', mountPath: '/x' }] }] } },
      }),
      answer: expect.stringContaining('(PATCH-API-4, PATCH-V-18)'),
    },
  ])('$name', async ({ annotations, answer }) => {
    expect(await onCreate(onNodes(annotations))).toEqual(answer)
    const stored = aTServer({ release: aRelease(), k8s: { daemonSet: true } })
    expect(await answerTo(updateOf(stored, onNodes(annotations)), withNode)).toEqual(answer)
  })

  it('warnings of those rules are warnings here', async () => {
    expect(await onCreate(onNodes(annotated(GOOD)), there)).toMatch(
      /^allowed\nwarning: .*\[0\].selector: matches no current node.*\(PATCH-API-4, PATCH-V-23d\)$/,
    )
  })

  it('and are not worth a retry where a look-up fails', async () => {
    const { live, cached } = withNode
    const get: (typeof live)['get'] = async (of, ref) => {
      if (of.kind === 'RuntimeClass') throw new Fault('CLUSTER_UNREACHABLE', 'the cluster is out of reach')
      return cached.get(of, ref)
    }
    const list = annotated({ selector, patch: { spec: { runtimeClassName: 'kata' } } })
    expect(await onCreate(onNodes(list), { live, cached: { ...cached, get } })).toBe('allowed')
  })

  it('but what a refusal needs is', async () => {
    const { live, cached } = withNode
    const list: (typeof live)['list'] = () =>
      Promise.reject(new Fault('CLUSTER_UNREACHABLE', 'the cluster is out of reach'))
    expect(await onCreate(onNodes(annotated(GOOD)), { live, cached: { ...cached, list } })).toMatch(/^503 /)
  })

  it('an entry that stood before warns, and a template that breaks it is refused', async () => {
    const [bad, worse] = [onNodes(annotated(UNKNOWN_CONTAINER)), onNodes(annotated(UNKNOWN_CONTAINER, GOOD))]
    expect(await answerTo(updateOf(bad, worse), withNode)).toMatch(/^allowed\nwarning: .*\(PATCH-API-4, PATCH-V-21\)/)
    const mount = { name: 'data', mountPath: '/data', source: { emptyDir: {} } }
    const patch = {
      spec: { containers: [{ name: 'demo-echo', volumeMounts: [{ name: 'data', mountPath: '/more' }] }] },
    }
    const list = annotated({ selector, patch })
    expect(await answerTo(updateOf(onNodes(list, { mounts: [mount] }), onNodes(list)), withNode)).toMatch('PATCH-V-18')
  })

  it('one that cannot be read does not excuse another one', async () => {
    const [old, next] = [onNodes({ [LIST]: '{}' }), onNodes({ [LIST]: '{ }' })]
    expect(await answerTo(updateOf(old, next), withNode)).toMatch(/^422 .*PATCH-V-02/)
  })

  it('the Nodes are not listed live for a refusal', async () => {
    const live = readerOf(base, NODE)
    await onCreate(onNodes(annotated(UNKNOWN_CONTAINER)), { ...withNode, live })
    expect(live.reads.filter((read) => read.includes('Node'))).toEqual([])
  })

  it('an error counts as one of the DaemonSet', async () => {
    const body = creationOf(onNodes(annotated(UNKNOWN_CONTAINER)))
    const { measured } = (await answered(VALIDATING, body, { readers: withNode })).verdict
    const of = { group: 'apps', namespace: 'demo', daemonset: 'demo-echo' }
    expect(measured).toEqual([failure('validate', 'invariant', of)])
  })

  describe('of a server that is no daemonSet it has no effect, and that is said once', () => {
    const warning = `allowed\nwarning: ${AT}: has no effect without spec.k8s.daemonSet; remove it (PATCH-API-4)`
    const idle = aTServer({ annotations: annotated('anything') })

    it('on create, on the update that brings it, and not again', async () => {
      expect(await onCreate(idle)).toBe(warning)
      expect(await onUpdate(aTServer(), idle)).toBe(warning)
      expect(await onUpdate(idle, { ...idle, status: undefined })).toBe('allowed')
    })
    it('and when it stops being a daemonSet', async () => {
      expect(await onUpdate(onNodes(annotated(GOOD)), aTServer({ annotations: annotated(GOOD) }))).toBe(warning)
    })
    it('the list is judged when it becomes one', async () => {
      const list = annotated(UNKNOWN_CONTAINER)
      expect(await answerTo(updateOf(aTServer({ annotations: list }), onNodes(list)), withNode)).toBe(refused(noImage))
    })
  })

  it('where family kruise does not run it is a word like any other', () => {
    const rulesWith = (running: readonly string[]) =>
      tars.kinds(settingsOf({}), running).flatMap(({ rules }) => rules.map(({ id }) => id))
    expect(rulesWith(['tars'])).not.toContain('PATCH-API-4')
    expect(rulesWith(['tars', 'kruise'])).toContain('PATCH-API-4')
  })
})
