import { execFile, fork } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../cluster/control-plane.ts'
import { scriptedApiServer } from '../support/fakes/api-server.ts'
import { type Contender, contenderIn } from './child.ts'
import type { Setting } from './setting.ts'

/** 1.1.4 is the later of the two, whatever the numbers say. */
export type PeprVersion = '1.1.4' | '20.0.0'

/** The part of its path that only the API server knows. */
const SECRET = 'bench'
export const PEPR_PATHS = { mutate: `/mutate/${SECRET}`, validate: `/validate/${SECRET}` }

/** As in its Deployment, but that 20.0.0 would write the whole of each review to its log there. */
const ENV = { PEPR_WATCH_MODE: 'false', PEPR_PRETTY_LOG: 'false', LOG_LEVEL: 'info', NODE_ENV: 'production' }

export async function peprServer(version: PeprVersion, { folder }: Setting): Promise<Contender> {
  const installed = await installedPepr(version)
  const api = await scriptedApiServer()
  api.always(({ query, path, json, stream }) => {
    const [, name = query.fieldSelector?.split('=').at(-1) ?? ''] = /\/peprstores\/(.+)$/.exec(path) ?? []
    const store = {
      ...STORE,
      metadata: { name, namespace: 'pepr-system', uid: name, resourceVersion: '1', labels: {} },
    }
    if (query.watch === 'true') return stream().event('ADDED', store)
    json(200, path.endsWith('/peprstores') ? { metadata: { resourceVersion: '1' }, items: [store] } : store)
  })
  const certs = { SSL_CERT_PATH: join(folder, 'tls.crt'), SSL_KEY_PATH: join(folder, 'tls.key') }
  const secret = { PEPR_API_PATH: SECRET, PEPR_API_TOKEN: SECRET }
  const child = fork(new URL('./pepr-server.ts', import.meta.url), [installed, folder, String(await freePort())], {
    env: { ...process.env, ...ENV, ...certs, ...secret, KUBECONFIG: api.kubeconfig() },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  child.once('exit', () => void api.stop())
  return contenderIn(child)
}

const STORE = { apiVersion: 'pepr.dev/v1', kind: 'PeprStore', data: {} }

/** Kept for the next run, as the control plane is; beside its place first, so that no run meets half of it. */
async function installedPepr(version: PeprVersion): Promise<string> {
  const caches = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tars-admission')
  const folder = join(caches, `pepr-${version}`)
  if (existsSync(folder)) return folder
  process.stderr.write(`installing pepr ${version}, about half a minute the first time\n`)
  mkdirSync(caches, { recursive: true })
  const draft = mkdtempSync(`${folder}.`)
  const options = ['--ignore-scripts', '--omit=peer', '--no-audit', '--no-fund', '--save-exact']
  try {
    await promisify(execFile)('npm', ['install', '--prefix', draft, ...options, `pepr@${version}`], { cwd: draft })
    renameSync(draft, folder)
  } catch (cause) {
    rmSync(draft, { recursive: true })
    if (!existsSync(folder)) throw cause // otherwise another run was first
  }
  return folder
}
