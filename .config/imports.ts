/** What each folder may import. The longest row that matches a file counts. */
export interface Row {
  /** A file, or a folder with its slash. `*` stands for one name. */
  readonly of: string
  /** Files and folders outside its own. `$1` is the name that the first `*` of the row stands for. */
  readonly may: readonly string[]
  /** Packages and modules of Node. */
  readonly uses?: readonly string[]
}

const PURE = ['src/kube/', 'src/faults.ts', 'src/recent-map.ts', 'src/schema.ts', 'src/schema-check.ts']
const PORTS = [
  ...PURE,
  'src/timing/',
  'src/setting.ts',
  'src/metric.ts',
  'src/cluster/*.ts',
  'src/telemetry/',
  'src/config.ts',
]
const RECONCILED = [
  'src/reconcile/action.ts',

  'src/reconcile/controller.ts',
  'src/reconcile/watches.ts',
]
const CONTRACT = [...PORTS, 'src/fact.ts', 'src/admission/', 'src/kind.ts']
const EDGES = [
  ...CONTRACT,
  'src/family.ts',
  'src/http/',
  'src/print/',
  'src/cluster/',
  'src/remote/',
  'src/reconcile/',
  'certs/',
]
const FAMILY = [
  'webhooks/kit/',
  'src/kube/',
  'webhooks/$1/*.ts',
  'webhooks/$1/access/',
  'webhooks/$1/config/',
  'webhooks/$1/engine/',
  'webhooks/$1/list/',
  'webhooks/$1/document/',
  'webhooks/$1/template/',
  'webhooks/$1/aggregation/',
  'webhooks/$1/conversions/',
]
const OF_ROLLOUT = ['judged.ts', 'pod.ts', 'pod-schema.ts', 'reconcile.ts', 'seen.ts']
const ANOTHER_KIND = ['schema.ts', 'settings.ts', 'shape.ts', 'validate.ts', 'objects/objects.ts', ...OF_ROLLOUT].map(
  (file) => `webhooks/$1/*/${file}`,
)

/** Ordered from the folders without imports to those that assemble everything. */
export const IMPORTS: readonly Row[] = [
  { of: 'src/kube/', may: ['src/schema.ts'], uses: ['node:crypto', 'node:zlib'] },
  { of: 'src/faults.ts', may: [] },
  { of: 'src/recent-map.ts', may: [] },
  { of: 'src/schema.ts', may: [] },
  { of: 'src/schema-check.ts', may: ['src/schema.ts'], uses: ['ajv'] },
  { of: 'src/timing/', may: [] },
  { of: 'src/config.ts', may: ['src/schema.ts', 'src/setting.ts'] },
  { of: 'src/metric.ts', may: ['src/cluster/port.ts'] },
  { of: 'src/setting.ts', may: ['src/schema.ts', 'src/schema-check.ts'] },
  { of: 'src/telemetry/', may: ['src/kube/', 'src/faults.ts'], uses: ['pino', 'prom-client'] },
  { of: 'src/cluster/*.ts', may: [...PURE, 'src/setting.ts', 'src/cluster/*.ts'], uses: ['fast-json-patch'] },
  { of: 'src/cluster/api-words/', may: [...PURE, 'src/cluster/*.ts'] },

  { of: 'src/fact.ts', may: [...PURE, 'src/metric.ts', 'src/cluster/*.ts'] },
  {
    of: 'src/admission/',
    may: [...PURE, 'src/setting.ts', 'src/fact.ts', 'src/metric.ts', 'src/cluster/*.ts', 'src/reconcile/action.ts'],
    uses: ['node:util'],
  },
  { of: 'src/kind.ts', may: [...PURE, 'src/cluster/*.ts', 'src/admission/'] },
  { of: 'src/reconcile/action.ts', may: [...PURE, 'src/cluster/*.ts'], uses: ['fast-json-patch'] },
  { of: 'src/reconcile/controller.ts', may: [...CONTRACT, ...RECONCILED] },
  { of: 'src/reconcile/watches.ts', may: [...CONTRACT, ...RECONCILED] },
  { of: 'src/family.ts', may: [...CONTRACT, ...RECONCILED, 'src/remote/*/port.ts'] },
  { of: 'src/admission/together.ts', may: CONTRACT },
  { of: 'src/admission/registrations.ts', may: CONTRACT },
  { of: 'src/admission/answer.ts', may: [...CONTRACT, 'src/reconcile/apply.ts'] },
  { of: 'src/admission/self-check.ts', may: CONTRACT, uses: ['fast-json-patch', 'node:util'] },
  {
    of: 'webhooks/kit/*.ts',
    may: [
      'src/faults.ts',
      'src/recent-map.ts',
      'src/schema.ts',
      'src/schema-check.ts',
      'src/setting.ts',
      'src/fact.ts',
      'src/metric.ts',
      'src/cluster/port.ts',
      'src/cluster/resource.ts',
      'src/cluster/stored.ts',
      'src/admission/',
      'src/kind.ts',
      'src/family.ts',
      'src/remote/*/port.ts',
      ...RECONCILED,
    ],
  },
  { of: 'webhooks/*/*.ts', may: FAMILY },
  { of: 'webhooks/*/*/', may: [...FAMILY, ...ANOTHER_KIND] },
  {
    of: 'webhooks/tars/tserver/node-patches.ts',
    may: ['webhooks/kit/', 'webhooks/tars/', 'webhooks/kruise/daemonset/validate.ts'],
  },
  {
    of: 'webhooks/*/config/',
    may: ['src/kube/', 'webhooks/$1/names.ts', 'webhooks/$1/config/'],
    uses: ['properties-file/parser'],
  },
  { of: 'webhooks/*/family.ts', may: ['webhooks/kit/', 'webhooks/$1/'] },
  { of: 'webhooks/index.ts', may: ['webhooks/kit/', 'webhooks/*/family.ts'] },

  {
    of: 'src/http/',
    may: [...CONTRACT, 'src/reconcile/action.ts'],
    uses: ['fastify', 'node:http', 'node:net', 'node:tls'],
  },
  {
    of: 'src/print/',
    may: [...CONTRACT, 'src/family.ts', 'src/reconcile/controller.ts', 'src/reconcile/upstream.ts'],
    uses: ['node:util', 'yaml'],
  },
  {
    of: 'src/cluster/memory/',
    may: [...CONTRACT, 'src/cluster/api-words/'],
    uses: ['ajv', 'fast-json-patch', 'node:util'],
  },
  {
    of: 'src/cluster/kube/',
    may: [...CONTRACT, 'src/cluster/api-words/'],
    uses: ['@kubernetes/client-node', 'node:http', 'node:https', 'node:util'],
  },
  { of: 'src/reconcile/', may: CONTRACT },
  {
    of: 'src/remote/passwords/',
    may: ['src/faults.ts', 'src/telemetry/'],
    uses: ['bcryptjs', 'node:os', 'node:worker_threads'],
  },
  {
    of: 'src/remote/cloudflare/',
    may: [
      'src/faults.ts',
      'src/recent-map.ts',
      'src/schema.ts',
      'src/timing/',
      'src/kube/digests.ts',
      'src/telemetry/',
    ],
  },
  { of: 'certs/', may: PORTS, uses: ['@peculiar/x509', 'reflect-metadata', 'fast-json-patch', 'node:*'] },

  { of: 'src/sync/', may: ['src/faults.ts', 'src/timing/', 'src/telemetry/'], uses: ['node:*', 'smol-toml'] },
  { of: 'src/sync/template/', may: [] },
  {
    of: 'src/sync/stores/',
    may: ['src/faults.ts', 'src/timing/', 'src/telemetry/', 'src/sync/*.ts'],
    uses: ['node:*', 'yaml', '@grpc/grpc-js', '@redis/client'],
  },

  { of: 'src/process/', may: EDGES, uses: ['fastify', 'node:*'] },
  { of: 'src/diagnosis/', may: [...EDGES, 'src/process/'], uses: ['node:*'] },
  { of: 'src/review/', may: [...EDGES, 'src/process/'], uses: ['node:*', 'yaml'] },
  { of: 'src/commands/', may: ['src/', 'certs/'], uses: ['node:*', 'yaml', 'fast-json-patch'] },
  { of: 'src/commands/run.ts', may: ['src/', 'webhooks/index.ts'] },
  { of: 'src/bin/', may: ['src/commands/', 'src/config.ts'], uses: ['node:*'] },
]
