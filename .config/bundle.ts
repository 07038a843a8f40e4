import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { build, type Plugin } from 'esbuild'
import { writeBillOfMaterials } from './bill-of-materials.ts'

/**
 * `npm run build`: all that runs in the image and from the packed package, and whose it is, in `dist` or the folder named.
 * One file: a process starts sooner with it than with fifty that share code.
 */
const [out = 'dist'] = process.argv.slice(2)

interface Unused {
  readonly path: RegExp
  readonly by: string
  /** The replacement that importers get. */
  readonly instead: string
}

const refusing = (name: string) => `function ${name}() { throw new Error('${name} is not in this bundle') }`

/** Parts of libraries that are never used here. The replacement throws that it was left out. */
const UNUSED: readonly Unused[] = [
  // The HTTP client and 700 models, beside the kubeconfig and the credentials that we take from it.
  {
    path: /^undici$/,
    by: '/@kubernetes/client-node/',
    instead: ['Agent', 'ProxyAgent'].map((name) => `export ${refusing(name)}`).join('\n'),
  },
  {
    path: /^\.\/gen\/index\.js$/,
    by: '/@kubernetes/client-node/',
    instead: ['createConfiguration', 'ServerConfiguration'].map((name) => `export ${refusing(name)}`).join('\n'),
  },
  // Routes with a schema; ours have none.
  {
    path: /^@fastify\/(ajv|fast-json-stringify)-compiler$/,
    by: '/fastify/',
    instead: `module.exports = () => ${refusing('schemaCompiler')}`,
  },
  // Spans for exemplars of metrics; without an SDK there is never one.
  {
    path: /^@opentelemetry\/api$/,
    by: '/prom-client/',
    instead: 'module.exports = { trace: { getSpan() {} }, context: { active() {} } }',
  },
  // Its metrics, which are off.
  {
    path: /^@opentelemetry\/api$/,
    by: '/@redis/client/',
    instead: `throw new Error('@opentelemetry/api is not in this bundle')`,
  },
  // Services that a server of gRPC offers; the messages of etcd have a codec of their own.
  { path: /^@grpc\/proto-loader$/, by: '/@grpc/grpc-js/', instead: `exports.loadSync = ${refusing('loadSync')}` },
  // Requests without a network, for tests.
  { path: /^light-my-request$/, by: '/fastify/', instead: `module.exports = ${refusing('inject')}` },
]

const withoutUnused: Plugin = {
  name: 'without-unused',
  setup({ onResolve, onLoad }) {
    for (const { path: filter, by, instead } of UNUSED) {
      onResolve({ filter }, ({ path, importer }) =>
        importer.includes(by) ? { path, namespace: 'unused', pluginData: instead } : undefined,
      )
    }
    onLoad({ filter: /./, namespace: 'unused' }, ({ pluginData }) => ({ contents: pluginData }))
  },
}

/**
 * Node's own modules are required. An import reads each of their exports, and behind some of them Node loads half of
 * itself: behind node:http all of undici and HTTP/2, for its WebSocket.
 */
const builtinsRequired: Plugin = {
  name: 'builtins-required',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /./ }, ({ path, kind }) =>
      kind === 'import-statement' && isBuiltin(path) ? { path, namespace: 'required' } : undefined,
    )
    onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }))
  },
}

/** Of the clone, or as the environment says: an image is built without the clone's history. */
function commit(): string {
  if (process.env.COMMIT || !existsSync('.git')) return process.env.COMMIT ?? ''
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

/**
 * V8 keeps a text with one character beyond Latin-1 in two bytes for each: 12 MB more of a process. esbuild leaves such
 * characters in regular expressions.
 */
function inAscii(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text.replace(/[\u0080-\uffff]/g, escaped)
}

await rm(out, { recursive: true, force: true })
const { metafile } = await build({
  entryPoints: { 'tars-admission': 'src/bin/tars-admission.ts', passwords: 'src/remote/passwords/thread.ts' },
  outdir: out,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  minifySyntax: true,
  minifyWhitespace: true,
  metafile: true,
  define: { BUILT_COMMIT: JSON.stringify(commit()) },
  logLevel: 'warning',
  banner: { js: 'const require=process.getBuiltinModule;' }, // nothing else is left to be required
  plugins: [withoutUnused, builtinsRequired],
})
for (const path of Object.keys(metafile.outputs)) writeFileSync(path, inAscii(readFileSync(path, 'utf8')))
writeBillOfMaterials(metafile, out)
