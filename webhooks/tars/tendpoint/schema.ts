import { flag, integer, type KubeObject, list, object, resource, type Shape, text } from '../../kit/schema.ts'
import { tarsResource } from '../names.ts'
import { containerStatusWith } from '../pods.ts'

const port = object(
  {},
  {
    name: text({ doc: 'Name of the port.' }),
    port: integer({ doc: 'Number of the port.' }),
    isTcp: flag({ doc: 'Whether it is TCP; otherwise UDP.' }),
  },
)

const servant = object(
  {},
  {
    name: text({ doc: 'Name of the servant.' }),
    port: integer({ doc: 'Port that it listens on.' }),
    thread: integer({ doc: 'Threads that work for it.' }),
    capacity: integer({ doc: 'Requests that may wait.' }),
    connection: integer({ doc: 'Connections that it takes at once.' }),
    timeout: integer({ doc: 'Milliseconds that a request may wait.' }),
    isTars: flag({ doc: 'Whether it speaks the protocol of Tars.' }),
    isTcp: flag({ doc: 'Whether it is TCP; otherwise UDP.' }),
  },
)

const tars = object(
  {},
  {
    template: text({ doc: 'The TTemplate that the configuration inherits from.' }),
    profile: text({ doc: 'Configuration in TARS format, laid over that of the template.' }),
    asyncThread: integer({ doc: 'Threads for asynchronous calls.' }),
    servants: list(servant, { doc: 'What the server offers.' }),
    ports: list(port, { doc: 'Ports beside those of the servants.' }),
  },
  'What a tars server offers.',
)

const normal = object(
  {},
  { ports: list(port, { doc: 'Ports that the server listens on.' }) },
  'What a server offers that is not of Tars.',
)

const hostPort = object(
  {},
  {
    nameRef: text({ doc: 'Servant or port that is reached through the node.' }),
    port: integer({ doc: 'Port on the node.' }),
  },
)

const release = object(
  {},
  {
    id: text({ doc: 'What the release is known by.' }),
    image: text({ doc: 'Image of the server.' }),
    secret: text({ doc: 'The Secret that the image is pulled with.' }),
    time: text({ doc: 'When it was released.' }),
    nodeImage: text({ doc: 'Image of tarsnode, which starts and watches the server.' }),
    nodeSecret: text({ doc: 'The Secret that the image of tarsnode is pulled with.' }),
  },
  'What the server runs.',
)

/** An entry of the status. */
export const endpointPod = object(
  {},
  {
    uid: text({ doc: 'Identity of the pod.' }),
    name: text({ doc: 'Name of the pod.' }),
    podIP: text({ doc: 'Address of the pod.' }),
    hostIP: text({ doc: 'Address of its node.' }),
    startTime: text({ doc: 'When the pod was created.' }),
    id: text({ doc: 'Release that it runs.' }),
    containerStatuses: list(containerStatusWith(text), { doc: 'Its containers, as the pod tells of them.' }),
    settingState: text({ doc: 'What the server is meant to be: Active or Inactive.' }),
    presentState: text({ doc: 'What it is.' }),
    presentMessage: text({ doc: 'Why, in a sentence.' }),
    pid: text({ doc: 'Its process, as the registry of Tars tells of it.' }),
  },
)

const tendpoint = object(
  {},
  {
    spec: object(
      {},
      {
        app: text({ doc: 'App of the server.' }),
        server: text({ doc: 'Name of the server within its app.' }),
        subType: text({ doc: 'Whether the server is of Tars: tars or normal.' }),
        important: integer({ doc: 'How much depends on it; more is more.' }),
        tars,
        normal,
        hostPorts: list(hostPort, { doc: 'What is reached through the nodes.' }),
        release,
      },
      'What the TServer of the same name says.',
    ),
    status: object(
      { pods: list(endpointPod, { doc: 'The pods of the server, by name.' }) },
      {},
      'What has become of it.',
    ),
  },
)
export type TEndpoint = KubeObject & Shape<typeof tendpoint>
export const TENDPOINT = resource(tarsResource('TEndpoint', 'tendpoints'), tendpoint)
