import { SUBDOMAIN } from '../../../src/kube/names.ts'
import { choice, flag, integer, integerOrText, list, object, text, usually } from '../../kit/schema.ts'
import { LABEL_KEY, LABEL_VALUE, PATH } from '../fields.ts'
import { environment, environmentFrom, QUANTITY, source } from './sources.ts'

/** Most items of a list, since the rules check each of them. */
export const MOST = 64
const QUALIFIED_OR_EMPTY = `^((${SUBDOMAIN}/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$`
const NAME = { maxLength: 63, pattern: '^([0-9A-Za-z][-0-9A-Za-z]*)?[0-9A-Za-z]$' } as const

const hostPort = object(
  {
    nameRef: text({ ...NAME, doc: 'Name of the servant or port that is reached there; case does not count.' }),
    port: integer({ minimum: 1, maximum: 65_535, doc: 'Port of the node.' }),
  },
  {},
  'A port of the node that leads to a servant or port.',
)

const mount = object(
  {
    name: text({ ...NAME, doc: 'Name of the volume: lower case, and no other mount has it.' }),
    source,
    mountPath: text({ ...PATH, doc: 'Where the container finds it; no other mount is there.' }),
  },
  {
    readOnly: flag({ default: false, doc: 'Whether the container may only read.' }),
    subPath: text({ ...PATH, doc: 'Path within the volume; not together with subPathExpr.' }),
    subPathExpr: text({ ...PATH, doc: 'The same with variables, $(PodName); not together with subPath.' }),
    mountPropagation: choice(['None', 'HostToContainer', 'Bidirectional'], {
      doc: 'Whether mounts made later are seen on the other side.',
    }),
  },
  'A volume, and where the container finds it.',
)

const requirement = object(
  {
    key: text({ ...LABEL_KEY, doc: 'Label of the node.' }),
    operator: choice(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'], { doc: 'How its value is compared.' }),
  },
  { values: list(text({ ...LABEL_VALUE, doc: 'Value.' }), { doc: 'What it is compared with.' }) },
  'What a label of the node must be.',
)

const amounts = (doc: string) =>
  object(
    {},
    {
      cpu: integerOrText({ ...QUANTITY, doc: 'Processor time, in cores: 1, "500m".' }),
      memory: integerOrText({ ...QUANTITY, doc: 'Memory, in bytes: "512Mi".' }),
    },
    doc,
  )

const updateStrategy = object(
  {},
  {
    type: choice(['RollingUpdate', 'OnDelete'], {
      default: 'RollingUpdate',
      doc: 'Whether pods are replaced by themselves.',
    }),
    rollingUpdate: usually(
      object(
        {},
        { partition: integer({ default: 0, doc: 'Only pods of this ordinal and above are replaced.' }) },
        'How far a rolling update goes.',
      ),
      {},
    ),
  },
  'How pods are replaced when their template changes.',
)

/** Describes how the pods of a server run. */
export const k8s = object(
  {},
  {
    replicas: integer({
      minimum: 0,
      maximum: 99,
      default: 1,
      doc: 'Pods asked for: 0 without a release, and within the bounds of tars.io/MinReplicas and tars.io/MaxReplicas.',
    }),
    abilityAffinity: choice(['AppRequired', 'ServerRequired', 'AppOrServerPreferred', 'None'], {
      default: 'AppOrServerPreferred',
      doc: 'Which labels tars.io/ability… a node must have, or better has.',
    }),
    daemonSet: flag({ default: false, doc: 'One pod on each node instead of replicas.' }),
    hostIPC: flag({ default: false, doc: 'Whether pods share the IPC of their node; then no two run on one.' }),
    hostNetwork: flag({ default: false, doc: 'Whether pods use the network of their node.' }),
    notStacked: flag({ default: false, doc: 'No two pods on one node; always so with hostPorts or hostIPC.' }),
    env: list(environment, { keys: ['name'], doc: 'Environment of the program.' }),
    envFrom: list(environmentFrom, { doc: 'Environment that comes from whole objects.' }),
    hostPorts: list(hostPort, { maxItems: MOST, doc: 'Ports of the node by which servants and ports are reached.' }),
    imagePullPolicy: choice(['Always', 'Never', 'IfNotPresent'], {
      default: 'Always',
      doc: 'When the image is pulled.',
    }),
    launcherType: choice(['foreground', 'background'], {
      default: 'background',
      doc: 'Whether the program is the first process of its container (foreground) or the node agent starts it.',
    }),
    mounts: list(mount, { maxItems: MOST, doc: 'Volumes of the program, and where it finds them.' }),
    nodeSelector: list(requirement, { default: [], doc: 'What labels a node must have.' }),
    podManagementPolicy: choice(['OrderedReady', 'Parallel'], {
      default: 'Parallel',
      doc: 'Whether pods start one after the other.',
    }),
    readinessGate: text({
      maxLength: 63,
      pattern: QUALIFIED_OR_EMPTY,
      doc: 'Condition that a pod must have to be ready; tars.io/active for tars servers.',
    }),
    resources: usually(
      object(
        {},
        { requests: amounts('What a pod is given.'), limits: amounts('What a pod may not exceed.') },
        'Processor time and memory.',
      ),
      {},
    ),
    serviceAccount: text({ maxLength: 63, doc: 'ServiceAccount of the pods.' }),
    updateStrategy: usually(updateStrategy, {}),
  },
  'How the pods run.',
)
