import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { theCluster } from './cluster.ts'
import { expectDone, install, type Product } from './product.ts'

const cluster = theCluster()
const namespace = 'lists'
const inNamespace = `--namespace=${namespace}`
const SAMPLE = readFileSync('manifests/samples/daemonsets/annotations.yaml', 'utf8')
const PATCHES = 'daemonset.kruise.io/patches'
const AT = `metadata.annotations[${PATCHES}]`
const selector = { matchLabels: { 'example.com/disk': 'large' } }
let product: Product

function daemonSet(name: string, list: unknown) {
  const matchLabels = { app: name }
  const containers = ['first', 'main'].map((name) => ({ name, image: 'image:1' }))
  const annotations = { [PATCHES]: typeof list === 'string' ? list : JSON.stringify(list) }
  const template = { metadata: { labels: matchLabels }, spec: { containers } }
  const spec = { selector: { matchLabels }, template }
  return { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name, annotations }, spec }
}
const kubectl = (...args: readonly string[]) => cluster.kubectl([...args, inNamespace])
const applied = (stdin: string) => cluster.kubectl(['apply', '-f', '-', inNamespace], { stdin })
const withList = (list: unknown, name = 'bad') => applied(JSON.stringify(daemonSet(name, list)))
const relisted = (list: unknown) => kubectl('annotate', 'daemonset', 'old', '--overwrite', `${PATCHES}=${text(list)}`)
const text = (list: unknown) => JSON.stringify(list)

const toSpec = (spec: object) => ({ selector, patch: { spec } })
const toMain = (fields: object) => toSpec({ containers: [{ name: 'main', ...fields }] })
const FINE = toMain({ env: [{ name: 'DISK', value: 'large' }] })
const LARGE = toMain({ env: [{ name: 'DISK', value: 'x'.repeat(1_024) }] })
const TYPING = { selector: {}, patch: { spec: { hostNetwrk: true } } }
const PLACING = toSpec({ nodeName: 'a', affinity: null })

const OLD = [{ selector: {}, patch: { spec: { nodeName: 'a' } } }]
/** Of the entry in the list that stood before. */
const CARRIED = [
  /^Warning: .*\[0\]\.selector: empty selector; .* \(PATCH-V-07\)$/,
  /^Warning: .*\[0\]\.patch\.spec\.nodeName: may not be set by a node patch.* \(PATCH-V-10\)$/,
]
/** Without the advice of PATCH-V-23: no Node here has the labels, and a GPU is more than nothing. */
const linesOf = (words: string) => words.split('\n').filter((line) => line !== '' && !ADVICE.test(line))
const ADVICE = /\(PATCH-V-23[a-l]\)$/
const matching = (patterns: readonly RegExp[]) => patterns.map((pattern) => expect.stringMatching(pattern))

beforeAll(async () => {
  expectDone(await cluster.kubectl(['create', 'namespace', namespace]))
  expectDone(await withList(OLD, 'old'))
  product = await install(cluster)
}, 120_000)
afterAll(async () => {
  await product.uninstall()
  await cluster.kubectl(['delete', 'namespace', namespace, '--timeout=50s'])
}, 120_000)

describe('lists in the annotation of a DaemonSet, applied with kubectl', () => {
  it('of the samples are accepted, with advice alone (PATCH-V-23d, PATCH-V-23j, PATCH-V-23k)', async () => {
    const { code, stderr } = await applied(SAMPLE)
    expect({ code, lines: linesOf(stderr) }).toEqual({ code: 0, lines: [] })
    for (const id of ['d', 'j', 'k']) expect(stderr).toContain(`(PATCH-V-23${id})`)
  })

  it.each([
    {
      name: 'PATCH-V-02 YAML',
      list: '- selector: {}',
      says: [`: not a JSON array: .*; write a JSON array, no YAML, each key once \\(PATCH-V-02\\)`],
    },
    {
      name: 'PATCH-V-05, PATCH-V-07 and PATCH-V-12 at once',
      list: [LARGE, FINE, TYPING],
      says: [
        `\\[0\\]\\.patch: patch is 1100 bytes as compact JSON, at most 1024 are allowed; .* \\(PATCH-V-05\\)`,
        `\\[2\\]\\.selector: empty selector; to change every node edit spec\\.template; .* \\(PATCH-V-07\\)`,
        `\\[2\\]\\.patch\\.spec\\.hostNetwrk: unknown field "hostNetwrk", did you mean "hostNetwork"; .* \\(PATCH-V-12\\)`,
      ],
    },
    {
      name: 'PATCH-V-10 each field',
      list: [FINE, PLACING],
      says: ['nodeName', 'affinity'].map(
        (field) => `\\[1\\]\\.patch\\.spec\\.${field}: may not be set by a node patch: placement .* \\(PATCH-V-10\\)`,
      ),
    },
  ])('are refused: $name', async ({ list, says }) => {
    const { code, stderr } = await withList(list)
    const [first = '', ...others] = linesOf(stderr)
    const found = others.length === 0 ? [first.slice(first.indexOf(AT))] : others.map((line) => line.slice('* '.length))
    expect({ code, first, found }).toEqual({
      code: 1,
      first: expect.stringMatching(/^The DaemonSet "bad" is invalid: /),
      found: matching(says.map((words) => new RegExp(`^${RegExp.escape(AT)}${words}$`))),
    })
    expect((await kubectl('get', 'daemonset', 'bad')).stderr).toContain('NotFound')
  })

  it('are refused with 422 and a cause for each field', async () => {
    const made = daemonSet('bad', [LARGE, FINE, TYPING])
    const answer = await cluster.request('POST', `/apis/apps/v1/namespaces/${namespace}/daemonsets`, made)
    const causes = ['[0].patch', '[2].selector', '[2].patch.spec.hostNetwrk'].map((path) => ({
      reason: 'FieldValueInvalid',
      field: `${AT}${path}`,
      message: expect.any(String),
    }))
    expect(answer).toMatchObject({
      status: 422,
      body: { reason: 'Invalid', details: { name: 'bad', kind: 'DaemonSet', causes } },
    })
  })
})

describe('PATCH-V-20 what the API server alone knows', () => {
  const GPUS = toMain({ resources: { requests: { gpus: '1' } } })
  /** The template has this container at another index. */
  const place = '[0].patch.spec.containers[0].resources.requests.gpus'

  it('is found at its place in the patch, in its words', async () => {
    const { code, stderr } = await withList([GPUS])
    expect(code).toBe(1)
    expect(stderr).toContain(
      `* ${AT}${place}: Invalid value: "gpus": must be a standard resource type or fully qualified; ` +
        'change the patch: the API server refuses such a pod template (PATCH-V-20)\n',
    )
    expect(stderr).not.toContain('template.spec')
  })

  it('is found beside an entry that is fine', async () => {
    const { code, stderr } = await withList([FINE, GPUS])
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('"gpus": must be a standard') })
  })

  it('warns if only entries that no Node has together are refused', async () => {
    const ports = [{ containerPort: 80, hostPort: 80 }]
    const { code, stderr } = await withList(
      ['first', 'main'].map((name) => toSpec({ containers: [{ name, ports }] })),
      'together',
    )
    const lines = [expect.stringMatching(/^Warning: …?.*\[1\]\.patch.*hostPort: Duplicate value: /)]
    expect({ code, lines: linesOf(stderr) }).toEqual({ code: 0, lines })
  })
})

describe('a DaemonSet that was stored with a bad list', () => {
  it('PATCH-RAT-1 is edited in its labels without a word', async () => {
    const { code, stderr } = await kubectl('label', 'daemonset', 'old', 'team=a')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  it('PATCH-RAT-2 takes no further bad entry', async () => {
    const { code, stderr } = await relisted([...OLD, PLACING])
    const refused = ['nodeName', 'affinity'].map(
      (field) => new RegExp(`^\\* ${RegExp.escape(`${AT}[1].patch.spec.${field}`)}: .* \\(PATCH-V-10\\)$`),
    )
    const lines = matching([...CARRIED, /^The DaemonSet "old" is invalid: $/, ...refused])
    expect({ code, lines: linesOf(stderr) }).toEqual({ code: 1, lines })
  })

  it('PATCH-RAT-2 takes a good one, and is warned of those that stood', async () => {
    const { code, stderr } = await relisted([...OLD, FINE])
    expect({ code, lines: linesOf(stderr) }).toEqual({ code: 0, lines: matching(CARRIED) })
  })
})
