import { createHash } from 'node:crypto'
import type { Built } from '../../src/cluster/port.ts'
import { isTree, type Tree } from '../../src/schema.ts'
import { LABELS } from '../../webhooks/tars/names.ts'

/** Objects as their authors write them; `filling` is about how many bytes they have beside what all of them have. */

export const NAMESPACE = 'bench'
const CREATED = '2026-11-18T12:01:02Z'

const LINE = '      async-invoke-timeout=5000\n'
const linesOf = (filling: number) => LINE.repeat(Math.round(filling / (LINE.length + 1))) // its end is two bytes in JSON

export function template(name: string, parent: string, filling = 0): Built {
  return object('TTemplate', name, { spec: { parent, content: `<tars>\n${linesOf(filling)}</tars>\n` } })
}

/** Of app and server as its name says: `demo-echo7`. */
export function server(name: string, filling = 0): Built {
  const [app = '', program = ''] = name.split('-')
  const { env, mounts } = furnished(filling)
  const servant = { name: 'EchoObj', port: 10_001, thread: 3, capacity: 10_000, connection: 10_000, timeout: 60_000 }
  const spec = {
    ...{ app, server: program, subType: 'tars', important: 3 },
    tars: { template: 'root', profile: '', asyncThread: 3, servants: [{ ...servant, isTars: true, isTcp: true }] },
    k8s: {
      ...{
        replicas: 2,
        abilityAffinity: 'AppOrServerPreferred',
        imagePullPolicy: 'Always',
        launcherType: 'background',
      },
      ...{ daemonSet: false, hostIPC: false, hostNetwork: false, notStacked: false, podManagementPolicy: 'Parallel' },
      ...{ nodeSelector: [], resources: {}, env, mounts },
    },
    release: {
      id: 'v1.2.2',
      image: `registry.example.com/tars/${app}.${program}:v1.2.2`,
      nodeImage: 'registry.example.com/tars/tars.tarsnode:v1.2.2',
      time: '2026-11-18T08:00:00Z',
    },
  }
  return object('TServer', name, { spec })
}

const MOST_MOUNTS = 60 // the schema takes 64

/** Three variables for each mount, as long as it may have more of these. */
function furnished(filling: number) {
  const env: Tree[] = [variable('Namespace', { valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } })]
  const mounts: Tree[] = []
  for (let left = filling; left > 0; ) {
    const isMount = mounts.length * 3 < env.length && mounts.length < MOST_MOUNTS
    const next = isMount ? mount(mounts.length) : variable(`LIMIT_${env.length}`, { value: `requests=${env.length}` })
    if (isMount) mounts.push(next)
    else env.push(next)
    left -= JSON.stringify(next).length + 1
  }
  return { env, mounts }
}

const variable = (name: string, rest: Tree): Tree => ({ name, ...rest })
const mount = (i: number): Tree => ({
  ...{ name: `logs-${i}`, mountPath: `/usr/local/app/tars/app_log/${i}`, readOnly: false },
  source: { hostPath: { path: `/usr/local/app/tars/app_log/${i}`, type: 'DirectoryOrCreate' } },
})

interface ConfigWishes {
  /** Of its name; versions of one server are one group. */
  readonly program?: string
  readonly activated?: boolean
  readonly filling?: number
}

export function config(name: string, { program = 'Echo', activated = true, filling = 0 }: ConfigWishes = {}): Built {
  const configContent = `<server>\n${linesOf(filling)}</server>\n`
  const of = { app: 'Demo', server: program, configName: 'server.conf', podSeq: 'm' }
  return object('TConfig', name, { ...of, configContent, activated, updateReason: 'a new limit' })
}

export function account(username: string, authentication: Tree): Built {
  const name = createHash('md5').update(username).digest('hex')
  return object('TAccount', name, { spec: { username, authentication, authorization: [] } })
}

function object(kind: string, name: string, body: Tree): Built {
  return { apiVersion: 'k8s.tars.io/v1beta2', kind, metadata: { name, namespace: NAMESPACE }, ...body }
}

/** With what the API server adds before it shows an object to anybody. */
export function managed({ metadata, ...body }: Built): Built {
  const { apiVersion, kind, ...shown } = body
  const by = { manager: 'kubectl-create', operation: 'Update', time: CREATED, apiVersion, fieldsType: 'FieldsV1' }
  const managedFields = [{ ...by, fieldsV1: fieldsOf(shown) }]
  return { ...body, metadata: { ...metadata, ...{ managedFields } } }
}

const fieldsOf = (tree: Tree): Tree =>
  Object.fromEntries(
    Object.entries(tree).map(([key, value]) => [`f:${key}`, isTree(value) ? { '.': {}, ...fieldsOf(value) } : {}]),
  )

/** As it lies in the store. */
export function stored(object: Built, version = 1): Built {
  const { metadata, ...body } = managed(object)
  const own = { uid: crypto.randomUUID(), resourceVersion: String(version), creationTimestamp: CREATED, generation: 1 }
  return { ...body, metadata: { ...metadata, ...own } }
}

const SIZES = [0, 1_024, 2_048, 4_096]
const VERSIONS = 10 // of each configuration, of which the first is active

/** The `i`-th of a cluster: 300 B to 4 KB without what the API server adds. */
export function storedConfig(i: number, filling = SIZES[i % SIZES.length] ?? 0): Built {
  const activated = i % VERSIONS === 0
  const program = programOf(Math.floor(i / VERSIONS))
  const { metadata, ...body } = config(`echo-${i}`, { program, activated, filling })
  const version = `20261118120102-${i.toString(16)}`
  const labels = {
    [LABELS.app]: 'Demo',
    [LABELS.server]: program,
    [LABELS.configName]: 'server.conf',
    [LABELS.podSeq]: 'm',
    [LABELS.activated]: String(activated),
    [LABELS.version]: version,
  }
  return stored({ ...body, metadata: { ...metadata, labels }, version, updateTime: CREATED }, i + 1)
}

/** Whose the `i`-th configuration of a cluster is. */
export const programOf = (i: number): string => `Echo${i}`
