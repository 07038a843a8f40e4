import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const CASES = [
  { file: 'src/kube/labels.ts', refused: ['../faults.ts', 'node:fs'], taken: ['./names.ts'] },
  { file: 'src/faults.ts', refused: ['./schema.ts'], taken: [] },
  { file: 'src/schema.ts', refused: ['./kind.ts', './cluster/port.ts'], taken: ['./faults.ts', 'ajv'] },
  { file: 'src/config.ts', refused: ['./kind.ts', './commands/run.ts'], taken: ['./schema.ts'] },
  { file: 'src/cluster/port.ts', refused: ['./kube/client.ts', '../kind.ts'], taken: ['../schema.ts'] },
  { file: 'src/telemetry/log.ts', refused: ['../kind.ts', '../admission/rule.ts'], taken: ['../faults.ts'] },
  {
    file: 'src/admission/rule.ts',
    refused: ['../kind.ts', '../http/observer.ts', 'node:https', 'fastify', '../../webhooks/index.ts'],
    taken: ['../cluster/port.ts', '../schema.ts', './change.ts'],
  },
  {
    file: 'src/kind.ts',
    refused: ['./http/observer.ts', './cluster/kube/client.ts', '../webhooks/index.ts'],
    taken: ['./admission/rule.ts', './cluster/port.ts'],
  },
  {
    file: 'src/http/observer.ts',
    refused: ['../cluster/kube/client.ts', '../../webhooks/index.ts', '@kubernetes/client-node', '../../certs/pair.ts'],
    taken: ['../kind.ts', '../answer.ts', 'fastify'],
  },
  {
    file: 'src/cluster/kube/client.ts',
    refused: [
      '../../http/observer.ts',
      'fastify',
      '../../../webhooks/index.ts',
      '../../../certs/pair.ts',
      '../memory/life.ts',
    ],
    taken: ['../../kind.ts', '../port.ts', '@kubernetes/client-node'],
  },
  {
    file: 'src/passwords/pool.ts',
    refused: ['../http/gate.ts', '../admission/mutation.ts', '../telemetry/metrics.ts', '../config.ts', 'fastify'],
    taken: ['../faults.ts', './thread.ts', 'bcryptjs'],
  },
  { file: 'src/http/gate.ts', refused: ['../passwords/pool.ts'], taken: ['../faults.ts'] },
  { file: 'src/print/crds.ts', refused: ['../../webhooks/index.ts', '../http/observer.ts'], taken: ['../kind.ts'] },
  {
    file: 'certs/authority.ts',
    refused: ['../src/http/observer.ts', '../src/cluster/kube/client.ts', '../webhooks/index.ts'],
    taken: ['../src/cluster/port.ts', '../src/faults.ts'],
  },
  { file: 'webhooks/kit.ts', refused: ['../src/http/observer.ts', './index.ts'], taken: ['../src/kind.ts'] },
  {
    file: 'webhooks/tars/ttemplate/validate.ts',
    refused: ['../../../src/faults.ts', 'node:fs', 'fastify', '@kubernetes/client-node', '../../../certs/pair.ts'],
    taken: ['../../kit.ts', '../names.ts', '../tserver/schema.ts'],
  },
  {
    file: 'src/commands/run.ts',
    refused: ['@kubernetes/client-node'],
    taken: ['../../webhooks/index.ts', '../http/observer.ts'],
  },
  { file: 'src/bin/tars-admission.ts', refused: ['../kind.ts'], taken: ['../commands/run.ts', '../config.ts'] },
] as const

describe('imports point one way, and lint holds them to it', () => {
  let folder: string
  let breaches: ReadonlySet<string>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'planted-'))
    breaches = await breachesIn(folder)
  })
  afterAll(() => rm(folder, { recursive: true }))

  it.each(CASES.flatMap(({ file, refused }) => refused.map((other) => [file, other])))(
    '%s may not import %s',
    (file, other) => expect(breaches).toContain(`${file} ${other}`),
  )
  it.each(CASES.flatMap(({ file, taken }) => taken.map((other) => [file, other])))('%s may import %s', (file, other) =>
    expect(breaches).not.toContain(`${file} ${other}`),
  )
})

/** Each file, planted with a line for each import; what lint with our settings has against which line. */
async function breachesIn(folder: string): Promise<ReadonlySet<string>> {
  await copyFile('.biome.jsonc', join(folder, '.biome.jsonc'))
  for (const { file, refused, taken } of CASES) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), [...refused, ...taken].map((other) => `import '${other}'\n`).join(''))
  }
  const found = (await lint(folder)).matchAll(/noRestrictedImports,file=(\S+?),line=(\d+)/g)
  return new Set([...found].map(([, path = '', line]) => `${fileOf(path)} ${importAt(path, Number(line))}`))
}

const fileOf = (path: string) => CASES.find(({ file }) => path.endsWith(file))?.file ?? path
function importAt(path: string, line: number): string | undefined {
  const { refused = [], taken = [] } = CASES.find(({ file }) => file === fileOf(path)) ?? {}
  return [...refused, ...taken][line - 1]
}

function lint(cwd: string): Promise<string> {
  const args = ['lint', '--vcs-enabled=false', '--max-diagnostics=none', '--reporter=github', '.']
  return new Promise((said) => execFile(resolve('node_modules/.bin/biome'), args, { cwd }, (_error, out) => said(out)))
}
