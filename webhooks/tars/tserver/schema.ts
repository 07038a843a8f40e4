import { SUBDOMAIN_LENGTH, SUBDOMAIN_ONLY } from '../../../src/kube/names.ts'
import {
  choice,
  flag,
  integer,
  type KubeObject,
  list,
  moment,
  object,
  resource,
  type Shape,
  text,
} from '../../kit/schema.ts'
import { identifier, image, releaseId, secretName } from '../fields.ts'
import { tarsResource } from '../names.ts'
import { k8s, MOST } from './k8s-block.ts'

const portNumber = integer({ minimum: 1, maximum: 65_535, doc: 'Number of the port.' })

const servant = object(
  {
    name: identifier({
      doc: 'Name of the servant; no two names of a server differ in case alone.',
    }),
    port: portNumber,
  },
  {
    thread: integer({ minimum: 1, maximum: 99, default: 3, doc: 'Threads that serve it.' }),
    capacity: integer({ minimum: 1, maximum: 3_000_000, default: 10_000, doc: 'Calls that may wait in its queue.' }),
    connection: integer({ minimum: 1, maximum: 3_000_000, default: 10_000, doc: 'Connections that it takes.' }),
    timeout: integer({
      minimum: -1,
      maximum: 6_000_000,
      default: 60_000,
      doc: 'Milliseconds that a call may wait in its queue.',
    }),
    isTars: flag({ default: true, doc: 'Whether it speaks the TARS protocol.' }),
    isTcp: flag({ default: true, doc: 'TCP when true, UDP when false.' }),
  },
  'A servant: what is called by name, and the port that it listens on.',
)

const port = object(
  {
    name: text({
      maxLength: 15,
      pattern: '^([0-9a-z][-0-9a-z]*)?[0-9a-z]$',
      doc: 'Name of the port: lower case, with a letter in it.',
    }),
    port: portNumber,
  },
  { isTcp: flag({ default: true, doc: 'TCP when true, UDP when false.' }) },
  'A port with a name.',
)

const tars = object(
  {
    template: text({
      maxLength: SUBDOMAIN_LENGTH,
      pattern: SUBDOMAIN_ONLY,
      doc: 'The TTemplate of this namespace that the configuration inherits from.',
    }),
    servants: list(servant, { default: [], maxItems: MOST, doc: 'What other TARS servers call by name.' }),
  },
  {
    profile: text({ doc: 'Configuration in TARS format, laid over that of the template.' }),
    asyncThread: integer({ minimum: 0, maximum: 50, default: 3, doc: 'Threads for the answers to calls of its own.' }),
    ports: list(port, { maxItems: MOST, doc: 'Ports beside those of the servants.' }),
  },
  'What a server that the node agent of TARS runs has; only with subType tars.',
)

const normal = object(
  { ports: list(port, { default: [], maxItems: MOST, doc: 'Ports that it listens on.' }) },
  {},
  'What any other server has; only with subType normal.',
)

const release = object(
  {
    id: releaseId({ doc: 'Name of the release.' }),
    image: image({ doc: 'Image that the pods run.' }),
  },
  {
    secret: secretName({ doc: 'Secret by which the image is pulled.' }),
    time: moment({ doc: 'When it was released; the moment of admission when absent.' }),
    nodeImage: image({ doc: 'Image of the node agent; that of TFrameworkConfig tars-framework when absent.' }),
    nodeSecret: secretName({ doc: 'Secret by which the image of the node agent is pulled.' }),
  },
  'What runs. Without a release nothing does, and there are no replicas.',
)

/** The spec of a server. The `apply` of a TDeploy has the same fields but no release. */
export const SPEC_MUST = {
  app: identifier({ doc: 'Application that the server belongs to; it cannot be changed.' }),
  server: identifier({ doc: 'Name of the server within the application; it cannot be changed.' }),
  subType: choice(['tars', 'normal'], {
    doc: 'Whether the node agent of TARS runs the program (tars) or it runs by itself (normal); it cannot be changed.',
  }),
  k8s,
}
export const SPEC_MAY = {
  important: integer({ minimum: 1, maximum: 20, default: 3, doc: 'How much the server matters, for those who watch.' }),
  tars,
  normal,
}

const tserver = object(
  { spec: object(SPEC_MUST, { ...SPEC_MAY, release }, 'What the server is, how it runs, and what is released of it.') },
  {
    status: object(
      {
        replicas: integer({ doc: 'Replicas asked for.' }),
        readyReplicas: integer({ doc: 'Pods that are ready.' }),
        currentReplicas: integer({ doc: 'Pods that there are.' }),
        selector: text({ doc: 'Selector of its pods, for autoscalers.' }),
      },
      {},
      'What the controller saw of the pods.',
    ),
  },
)
export type TServer = KubeObject & Shape<typeof tserver>
export const TSERVER = resource(tarsResource('TServer', 'tservers'), tserver)
