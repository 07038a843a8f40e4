import { readFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { isTree, type Tree } from '../../src/schema.ts'
import { commandsIn, patternOf, plain, wordsOf } from '../support/console-blocks.ts'
import { at, type NacosStage, nacosIn } from './nacos-workplace.ts'
import { expectDone } from './product.ts'

const GUIDE = commandsIn(readFileSync('docs/nacos.md', 'utf8')).filter(({ line }) => line.startsWith('kubectl '))

/** As somebody would edit by hand. */
const env = { KUBE_EDITOR: 'sed -i s/ui.enabled=true/ui.enabled=false/' }
/** What the commands that change something come to. */
const DIGESTS: Readonly<Record<string, string>> = {
  apply: '0a636216853f632b',
  edit: '9713514301f4b65a',
  delete: '9713514301f4b65a',
}

const PATHS: Readonly<Record<string, string>> = {
  StatefulSet: '/apis/apps/v1',
  Service: '/api/v1',
  ConfigMap: '/api/v1',
}
/** Of them the status moves the version. */
const NOT_COMPARED = { managedFields: [], resourceVersion: '' }
const APPLY = { contentType: 'application/apply-patch+yaml' }
const AS_THE_WORKER = '?fieldManager=tars-admission-nacos&force=true&dryRun=All'

/** The console blocks of docs/nacos.md. */
export function usageGuide({ suite: { cluster } }: NacosStage): void {
  const usual = nacosIn(cluster, 'default')
  const children = async () => {
    const example = readFileSync('test/fixtures/nacos-children/usage.wanted.yaml', 'utf8')
    const uid = `${at(await usual.read('nacos', 'my-nacos'), 'metadata', 'uid')}`
    const wanted = example.replaceAll('UID', uid).replace('minReadySeconds: 10', 'minReadySeconds: 1')
    return parseAllDocuments(wanted).map((document): Tree => document.toJS())
  }

  /** As the worker applies it: what it owned beside these fields would go. */
  async function expectNoOther(wanted: Tree): Promise<void> {
    const { kind, metadata } = wanted
    const path = `${PATHS[`${kind}`]}/namespaces/default/${`${kind}`.toLowerCase()}s/${at(metadata, 'name')}`
    const live = (await cluster.request('GET', path)).body
    const applied = (await cluster.request('PATCH', `${path}${AS_THE_WORKER}`, wanted, APPLY)).body
    expect(at(applied, 'spec')).toEqual(at(live, 'spec'))
    expect(at(applied, 'data')).toEqual(at(live, 'data'))
    const [before, after] = [live, applied].map((each) => ({
      ...treeAt(each, 'metadata'),
      ...NOT_COMPARED,
    }))
    expect(after).toEqual(before)
  }

  afterAll(async () => expectDone(await cluster.kubectl(['delete', '-f', 'manifests/samples/good/nacos.yaml'])), 60_000)

  it.each(GUIDE)(
    '$line',
    async ({ line, outcome }) => {
      const [, ...args] = wordsOf(line)
      const { code, stdout, stderr } = await cluster.kubectl(args, { env })
      expect(plain(`${stderr}${stdout}`)).toMatch(patternOf(outcome))
      expect(code).toBe(0)
      const digest = DIGESTS[args[0] ?? '']
      if (digest !== undefined) await usual.running('my-nacos', digest)
      if (args[0] === 'apply') for (const wanted of await children()) await expectNoOther(wanted)
    },
    180_000,
  )
}
const treeAt = (object: unknown, step: string): Tree => {
  const value = at(object, step)
  return isTree(value) ? value : {}
}
