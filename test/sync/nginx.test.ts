import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, it } from 'vitest'
import { freePort } from '../cluster/control-plane.ts'
import { until } from '../cluster/until.ts'
import { folderOf } from '../support/folders.ts'
import { asked, type Backend, startBackend, trafficTo } from './backends.ts'
import { startEtcd } from './etcd.ts'
import { nginxConf, startNginx } from './nginx.ts'
import { startProductBy } from './product.ts'

const FOLDER = '/nginx/backend'

/** The servers of the article that sync is made after, with its template of the upstream. */
const servers = (port: number) => `
upstream backend_cluster {
{{- range getvs "${FOLDER}/*"}}
    server {{.}};
{{- end}}
}

server {
    listen       127.0.0.1:${port};
    location ^~ /cgi/ {
        proxy_set_header X-Real-IP $remote_addr;
        proxy_set_header Cookie $http_cookie;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header Host $host;
        proxy_next_upstream off;
        proxy_pass http://backend_cluster/;
        proxy_pass_request_headers      on;
    }
}`

it('by the confd.toml of the article alone, backends of a real nginx join and leave without a failed request', async () => {
  const etcd = await startEtcd()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/cgi/`
  const folder = folderOf()
  const { nginx } = inject('components')
  const first = await startBackend('first')
  await etcd.put({ [`${FOLDER}/first`]: first.address })
  const confdToml = readFileSync('manifests/sync/confd.toml', 'utf8').replace('http://127.0.0.1:2379', etcd.endpoint)
  const product = await startProductBy(confdToml, {
    'nginx.conf': {
      keys: [FOLDER],
      template: nginxConf(folder, servers(port)),
      check: `${nginx} -t -c {{.src}}`,
      // before nginx runs there is none to reload; its test leaves an empty file of its pid
      reload: `test ! -s ${folder}/nginx.pid || ${nginx} -s reload -c {{targets}}/nginx.conf`,
    },
  })
  const file = join(product.targets, 'nginx.conf')
  await startNginx(file, async () => (await asked(url)).status === 200)
  const traffic = trafficTo(url, 8)
  const holds = (address: string) => product.target('nginx.conf')?.includes(address) ?? false

  const joined: Backend[] = []
  for (let turn = 0; turn < 5; turn++) {
    const name = `joined-${turn}`
    const backend = await startBackend(name)
    joined.push(backend)
    await etcd.put({ [`${FOLDER}/${name}`]: backend.address })
    await until(`${name} answers`, () => traffic.answered.has(name), { seconds: 20 })
  }

  await etcd.put({ [`${FOLDER}/other`]: 'no server; at all {' })
  await until('nginx has refused it', () => product.log().some(({ level }) => level === 'error'), { seconds: 20 })
  const good = await startBackend('good')
  expect(holds('no server')).toBe(false)
  await etcd.put({ [`${FOLDER}/other`]: good.address })
  await until('the next good one is live', () => traffic.answered.has('good'), { seconds: 20 })

  for (const [turn, backend] of joined.entries()) {
    await etcd.remove(`${FOLDER}/joined-${turn}`)
    await until(`joined-${turn} is gone`, () => !holds(backend.address), { seconds: 20 })
    await sleep(1_000) // workers of before finish their requests
    await backend.leave()
  }
  await traffic.stop()
  expect(traffic.failed).toEqual([])
  expect([...traffic.answered.keys()].sort()).toEqual(['first', 'good', ...joined.map((_, turn) => `joined-${turn}`)])
  process.stdout.write(`${[...traffic.answered.values()].reduce((sum, each) => sum + each, 0)} requests\n`)
})
