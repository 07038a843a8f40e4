import { describe, expect, it } from 'vitest'
import { Refused } from '../../../../src/cluster/port.ts'
import { Fault } from '../../../../src/faults.ts'
import type { Tree } from '../../../../src/schema.ts'
import { aDaemonSet, anEntry } from '../../../support/builders/patched-daemonsets.ts'
import { readersOf } from '../../../support/fakes/readers.ts'
import { findingsIn, wordsTo } from './reviewed.ts'

const AT = 'metadata.annotations[daemonset.kruise.io/patches]'
const DEEP = { deepValidation: true }
const env = (name: string) => anEntry({ spec: { containers: [{ name: 'agent', env: [{ name, value: '1' }] }] } })
const onGpu = (name: string) => ({ ...env(name), selector: { matchLabels: { gpu: 'yes' } } })
const aNode = (name: string, labels: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { namespace: '', name, labels },
})
const large = aNode('n1', { disk: 'large' })
const both = aNode('n2', { disk: 'large', gpu: 'yes' })

const cause = (field: string) => ({ reason: 'FieldValueInvalid', message: 'Invalid value: "x"', field })
const invalid = (...causes: readonly ReturnType<typeof cause>[]) =>
  new Refused({ code: 422, reason: 'Invalid', message: 'PodTemplate is invalid', details: { causes } })

/** An API server that answers a dry run as the case says, by the names of the variables in the result. */
function answering(answer: (names: string) => Error | undefined, nodes = [large, both]) {
  const asked: string[] = []
  const readers = readersOf(...nodes)
  const dryRun: (typeof readers)['live']['dryRun'] = async (of, object, by) => {
    const names =
      JSON.stringify(object)
        .match(/(?<="name":")[A-Z]+/g)
        ?.join('') ?? ''
    asked.push(`${by} ${of.plural} ${object.metadata.namespace} ${names}`)
    const error = answer(names)
    if (error !== undefined) throw error
    return readers.live.dryRun(of, object, by)
  }
  const { cached, live } = readers
  return { asked, around: { settings: DEEP, readers: { cached: { ...cached, dryRun }, live: { ...live, dryRun } } } }
}
const list = (...annotation: readonly unknown[]) => aDaemonSet({ annotation })

describe('PATCH-V-20 the API server is asked of the results', () => {
  const path = `${AT}[0].patch.spec.containers[0].env[0].name`
  const at = cause('template.spec.containers[0].env[0].name')

  it('and its causes stand at the place in the patch', async () => {
    const { around, asked } = answering(() => invalid(at))
    expect(await wordsTo(list(env('A')), around)).toEqual([
      `422 Invalid: ${path}: Invalid value: "x"; change the patch: the API server refuses such a pod template (PATCH-V-20)`,
    ])
    expect(asked).toEqual(['create podtemplates demo A'])
  })

  it('once for each set on a Node, and for all entries together', async () => {
    const { around, asked } = answering(() => undefined)
    expect(
      await findingsIn(list(env('A'), onGpu('B'), { ...env('C'), selector: { matchLabels: { no: 'node' } } }), around),
    ).toEqual([])
    expect(asked.map((each) => each.split(' ').at(-1)).sort()).toEqual(['A', 'BA', 'CBA'])
  })

  it('at most nine times', async () => {
    const entries = Array.from({ length: 10 }, (_, i) => ({
      ...env('A'),
      selector: { matchLabels: { [`k${i}`]: '' } },
    }))
    const nodes = entries.map((_, i) => aNode(`n${i}`, { [`k${i}`]: '' }))
    const { around, asked } = answering(() => undefined, nodes)
    await findingsIn(list(...entries), around)
    expect(asked).toHaveLength(9)
  })

  it.each([
    { name: 'what only all together violate warns', refused: 'CBA', found: `-PATCH-V-20 ${path}` },
    { name: 'what a set on a Node violates is refused', refused: 'BA', found: `PATCH-V-20 ${path}` },
  ])('$name', async ({ refused, found }) => {
    const { around } = answering((names) =>
      names === refused ? invalid(cause('template.spec.containers[0].env[1].name')) : undefined,
    )
    const entries = [env('A'), onGpu('B'), { ...env('C'), selector: { matchLabels: { no: 'node' } } }]
    const results = await findingsIn(list(...entries), around)
    expect(results).toHaveLength(1)
    expect(results[0]?.replace(/\[\d\](?=\.patch)/, '[0]')).toBe(found)
  })

  describe('of entries that match no Node', () => {
    const none = { matchLabels: { no: 'node' } }
    const entries = [env('A'), { ...env('B'), selector: none }, { ...env('C'), selector: none }]
    const refusing = (...sets: readonly string[]) =>
      answering((names) =>
        sets.includes(names) ? invalid(cause('template.spec.containers[0].env[0].name')) : undefined,
      )

    it('what one violates by itself is refused, though others stand beside it', async () => {
      const { around, asked } = refusing('CBA', 'C')
      expect(await findingsIn(list(...entries), around)).toContainEqual(`PATCH-V-20 ${path.replace('0', '2')}`)
      expect(asked.map((each) => each.split(' ').at(-1))).toEqual(['A', 'CBA', 'B', 'C'])
    })

    it('what they violate together warns', async () => {
      const found = await findingsIn(list(...entries), refusing('CBA').around)
      expect(found).toEqual([`-PATCH-V-20 ${path.replace('0', '2')}`])
    })

    it('each is asked of where all together are no valid template', async () => {
      const valueFrom = { fieldRef: { fieldPath: 'metadata.name' } }
      const other = anEntry({ spec: { containers: [{ name: 'agent', env: [{ name: 'A', valueFrom }] }] } })
      const { around, asked } = refusing()
      const found = await findingsIn(list(...[env('A'), other].map((each) => ({ ...each, selector: none }))), around)
      expect(found).toEqual([expect.stringMatching(/^-PATCH-V-18 /)])
      expect(asked.map((each) => each.split(' ').at(-1))).toEqual(['A', 'A'])
    })

    it('and none again of an API server that says nothing', async () => {
      const { around, asked } = answering(() => new Fault('CLUSTER_UNREACHABLE', 'gone'))
      await findingsIn(list(...entries), around)
      expect(asked).toHaveLength(2)
    })
  })

  it.each([
    {
      name: 'forbids it',
      error: new Refused({ code: 403, reason: 'Forbidden', message: 'secret words' }),
      says: 'it answers 403',
    },
    { name: 'is away', error: new Fault('CLUSTER_UNREACHABLE', 'gone'), says: 'it does not answer' },
  ])('an API server that $name warns', async ({ error, says }) => {
    const { around } = answering(() => error)
    const [decision, warning] = await wordsTo(list(env('A')), around)
    expect(decision).toBe('allowed')
    expect(warning).toMatch(new RegExp(`: not checked by the API server: ${says}; .*PATCH-V-20`))
  })

  it('what is no answer is thrown', async () => {
    const { around } = answering(() => new TypeError('a mistake'))
    await expect(findingsIn(list(env('A')), around)).rejects.toThrow('a mistake')
  })

  it('an answer without causes stands at the patch', async () => {
    const { around } = answering(
      () => new Refused({ code: 400, reason: 'BadRequest', message: 'json: cannot unmarshal' }),
    )
    expect(await findingsIn(list(env('A')), around)).toEqual([`PATCH-V-20 ${AT}[0].patch`])
  })

  it('but not where the setting is off, nor of a result that is refused already', async () => {
    const { around, asked } = answering(() => undefined)
    await findingsIn(list(env('A')), { ...around, settings: {} })
    await findingsIn(list(anEntry({ spec: { containers: [{ name: 'agent', image: '' }] } })), around)
    expect(asked).toEqual([])
  })
})

describe('PATCH-RAT-3 PATCH-V-20 after a change of the template', () => {
  const template = (name: string) => ({
    metadata: { labels: { app: 'agent' } },
    spec: { containers: [{ name: 'agent', image: 'b', env: [{ name, value: '' }] }] },
  })
  const answered = async (refuses: (names: string) => boolean) => {
    const { around } = answering((names) => (refuses(names) ? invalid(cause('template.spec')) : undefined))
    const made = (name: string): Tree => aDaemonSet({ annotation: [env('A')], template: template(name) })
    return findingsIn(made('NEW'), { ...around, prev: made('OLD') })
  }
  it('what the API server says of the old result too warns', async () => {
    expect(await answered(() => true)).toEqual([`-PATCH-V-20 ${AT}[0].patch.spec`])
  })
  it('and what is new is refused', async () => {
    expect(await answered((names) => names.includes('NEW'))).toEqual([`PATCH-V-20 ${AT}[0].patch.spec`])
  })
})
