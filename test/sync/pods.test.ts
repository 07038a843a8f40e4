import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { freePort } from '../cluster/control-plane.ts'
import { until } from '../cluster/until.ts'
import { folderOf } from '../support/folders.ts'
import { kubeletWrites } from '../support/kubelet.ts'
import { ranSync, syncProcess } from '../support/sync/process.ts'
import { startEtcd } from './etcd.ts'

// The containers of manifests/sync as processes, which share a folder as theirs share a volume. In what they are given,
// paths and addresses of a pod stand for those of the test.

const SYNC = 'manifests/sync'
const textOf = (path: string) => readFileSync(path, 'utf8')

it('SY-FIT-3 an init container ends when the file is there, and fails until then', async () => {
  const etcd = await startEtcd()
  const { spec } = parse(textOf(`${SYNC}/init-container.yaml`))
  const [, ...args] = spec.initContainers[0].args.map((arg: string) => arg.replace('http://etcd:2379', etcd.endpoint))
  const [confdir, targets] = [folderOf(), folderOf()]
  kubeletWrites(confdir, {
    'conf.d/app.toml': `[template]\nsrc = "app.tmpl"\ndest = "${targets}/app.conf"\nkeys = ["/app"]\n`,
    'templates/app.tmpl': '{{getv "/app/name"}}\n',
  })
  const ran = () => ranSync(args, { CONFD_CONFDIR: confdir })
  expect(await ran()).toMatchObject({ code: 1, err: expect.stringContaining('key does not exist: /app/name') })
  await etcd.put({ '/app/name': 'one' })
  expect((await ran()).code).toBe(0)
  expect(textOf(`${targets}/app.conf`)).toBe('one\n')
})

it('SY-FIT-3 a sidecar is ready when its file is there, signals nginx, and follows store and ConfigMap', async () => {
  const etcd = await startEtcd()
  const port = await freePort()
  const { hups, pid, proc } = await nginxLike()
  const targets = folderOf()
  const here = (text: string) =>
    text
      .replaceAll('http://etcd:2379', etcd.endpoint)
      .replaceAll('/etc/nginx/conf.d', targets)
      .replaceAll('/proc/', `${proc}/`)
      .replaceAll(':8081', `127.0.0.1:${port}`)
  const { data, items, args } = sidecar()
  const volume = Object.fromEntries(items.map(({ key, path }) => [path, here(data[key] ?? '')]))
  const confdir = folderOf()
  kubeletWrites(confdir, volume)
  await etcd.put({ '/nginx/backend/a': '10.0.0.1:80' })

  const env = { CONFD_CONFDIR: confdir, CONFD_CONFIG_FILE: join(confdir, 'confd.toml') }
  const running = syncProcess(args.slice(1).map(here), env)
  await until('it is ready', async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200)
  const target = () => textOf(`${targets}/backend.conf`)
  expect(target()).toContain('server 10.0.0.1:80;')
  expect(target()).toContain('listen 8080;')
  await until(`process ${pid} is signalled`, () => hups() === 1)

  await etcd.put({ '/nginx/backend/b': '10.0.0.2:80' })
  await until('the next backend is there', () => target().includes('server 10.0.0.2:80;') && hups() === 2)
  kubeletWrites(confdir, {
    ...volume,
    'templates/nginx.tmpl': (volume['templates/nginx.tmpl'] ?? '').replace('8080', '8090'),
  })
  await until('the next template counts', () => target().includes('listen 8090;') && hups() === 3)
  running.signal('SIGTERM')
  expect(await running.ended).toBe(0)
})

interface Sidecar {
  readonly data: Readonly<Record<string, string>>
  readonly items: readonly { readonly key: string; readonly path: string }[]
  readonly args: readonly string[]
}

/** What the manifest gives it. */
function sidecar(): Sidecar {
  const [config, deployment] = parseAllDocuments(textOf(`${SYNC}/sidecar.yaml`)).map((document) => document.toJS())
  const { initContainers, volumes } = deployment.spec.template.spec
  return { data: config.data, items: volumes[1].configMap.items, args: initContainers[0].args }
}

/** A process that counts SIGHUP, and a folder in which it is the master of an nginx, as in /proc. */
async function nginxLike() {
  const log = join(folderOf({ hups: '' }), 'hups')
  const child = spawn('sh', ['-c', `trap 'echo >> ${log}' HUP; echo ready; while :; do sleep 0.05; done`])
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  await once(child.stdout, 'data')
  const proc = folderOf()
  mkdirSync(join(proc, String(child.pid)))
  writeFileSync(join(proc, String(child.pid), 'cmdline'), 'nginx: master process nginx\0')
  return { pid: child.pid, proc, hups: () => textOf(log).length }
}
