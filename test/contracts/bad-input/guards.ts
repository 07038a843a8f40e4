import type { Tree } from '../../../src/schema.ts'
import { aService, aWorkload, OF_SERVER } from '../../support/builders/workloads.ts'
import { reviewsOf, withRequest } from '../../support/reviews.ts'
import {
  allowed,
  FORCED,
  forbidden,
  type Group,
  having,
  inWords,
  MANAGED,
  mutated,
  raw,
  unchecked,
  validated,
} from './entry.ts'

const SERVICES = reviewsOf({ group: '', version: 'v1', kind: 'Service', plural: 'services', scope: 'Namespaced' })
const STATEFUL = {
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  scope: 'Namespaced',
} as const
const DAEMONS = { group: 'apps', version: 'v1', kind: 'DaemonSet', plural: 'daemonsets', scope: 'Namespaced' } as const
const service = aService()
const isNew = (fields: Tree, metadata: Tree = {}) => validated(SERVICES.creationOf(having(service, fields, metadata)))
const labels = (given: unknown) => isNew({}, { labels: given })

export const GUARDS: readonly Group[] = [
  forbidden(
    'metadata.labels[tars.io/ServerApp]: objects labelled tars.io/ServerApp are created from a TServer; create a TServer, or leave tars.io/ServerApp or tars.io/ServerName out (GW-1)',
    {
      'a Service with both labels': isNew({}),
      'a StatefulSet with both labels': validated(reviewsOf(STATEFUL).creationOf(aWorkload('StatefulSet'))),
      'a DaemonSet with both labels': validated(reviewsOf(DAEMONS).creationOf(aWorkload('DaemonSet'))),
      'a Service with both labels, and nothing in them': labels({ 'tars.io/ServerApp': '', 'tars.io/ServerName': '' }),
      '10,000 labels': labels({
        ...Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`l${at}`, 'x'])),
        ...OF_SERVER,
      }),
      'a name in unicode': isNew({}, { name: 'größe' }),
      'both labels put on a Service without them': validated(
        SERVICES.updateOf(having(service, {}, { labels: {} }), service),
      ),
      'a name of 254 characters': isNew({}, { name: 'a'.repeat(254) }),
      'a text for the spec': isNew({ spec: 'x' }),
      'a spec of 100 levels': isNew({ spec: JSON.parse('['.repeat(97) + ']'.repeat(97)) }),
      'ports −1, 65536, 1.5 and "80"': isNew({
        spec: { ports: [{ port: -1 }, { port: 65_536 }, { port: 1.5 }, { port: '80' }] },
      }),
      'a port of 1e400': inWords(SERVICES.creationOf(having(service, { spec: { ports: [{ port: '#' }] } })), {
        '#': '1e400',
      }),
      '200 managedFields and a forced server-side apply': validated(
        withRequest(SERVICES.creationOf(having(service, {}, { managedFields: MANAGED })), { options: FORCED }),
      ),
    },
  ),
  allowed({
    'a Service with one of the labels': labels({ 'tars.io/ServerApp': 'Demo' }),
    'a Service with other labels': labels({ app: 'a' }),
    'a Service with the labels in small letters': labels({ 'tars.io/serverapp': 'Demo', 'tars.io/servername': 'Echo' }),
    'a Service with labels that look like a pointer': labels({
      'tars.io~1ServerApp': 'Demo',
      'tars.io~1ServerName': 'Echo',
    }),
    'labels null': labels(null),
    'no labels': labels(undefined),
    'an update of a Service with both labels': validated(SERVICES.updateOf(service, having(service, { spec: 7 }))),
  }),
  allowed(
    { 'a status-only update': validated(SERVICES.updateOf(service, service, { subResource: 'status' })) },
    'no handler for UPDATE of services/status v1 on /validating',
  ),
  allowed(
    { 'a deletion': validated(SERVICES.deletionOf(service)) },
    'no handler for DELETE of services v1 on /validating',
  ),
  allowed(
    { 'a Service that is to be mutated': mutated(SERVICES.creationOf(service)) },
    'no handler for CREATE of services v1 on /mutating',
  ),
  allowed(
    {
      'a Deployment with both labels': validated(
        reviewsOf({ ...DAEMONS, kind: 'Deployment', plural: 'deployments' }).creationOf(aWorkload('DaemonSet')),
      ),
    },
    'no handler for CREATE of deployments v1 on /validating',
  ),
  ...unchecked({
    'metadata.labels.tars.io/ServerApp': {
      'labels that are numbers': labels({ 'tars.io/ServerApp': 1, 'tars.io/ServerName': 2 }),
      'labels that are null': labels({ 'tars.io/ServerApp': null, 'tars.io/ServerName': null }),
    },
    'metadata.labels': {
      'labels that are a list': labels(['tars.io/ServerApp']),
      'labels that are a text': labels('tars.io/ServerApp'),
    },
    'metadata.labels.__proto__': {
      '__proto__ for a label': raw(
        JSON.stringify(SERVICES.creationOf(having(service, {}, { labels: {} }))).replace(
          '"labels":{',
          '"labels":{"__proto__":{"tars.io/ServerApp":"a","tars.io/ServerName":"b"}',
        ),
      ),
    },
    metadata: {
      'metadata null': validated(SERVICES.creationOf({ ...service, metadata: null })),
      'an object without anything': validated(SERVICES.creationOf({})),
    },
    'metadata.name': { 'no name yet, as with generateName': isNew({}, { name: undefined, generateName: 'demo-' }) },
  }),
]
