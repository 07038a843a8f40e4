import {
  anyObject,
  flag,
  integer,
  integerOrText,
  type KubeObject,
  list,
  map,
  object,
  resource,
  type Shape,
  secret,
  text,
} from '../../kit/schema.ts'
import { status } from './status-schema.ts'

// The fields of both operators that objects of this kind were written for, without limits: the webhook judges values,
// and leaves what is stored already (NC-CRD-03).

const database = object(
  {},
  {
    type: text({ doc: 'embedded or mysql; embedded when absent.' }),
    mysqlHost: text({ doc: 'Host of the MySQL server.' }),
    mysqlPort: text({ doc: 'Port of the MySQL server.' }),
    mysqlDb: text({ doc: 'Name of the database.' }),
    mysqlUser: text({ doc: 'User of the database.' }),
    mysqlPassword: secret({ doc: 'Password of the user.' }),
  },
  'Where the servers keep their data.',
)

const volume = object(
  {},
  {
    hostPath: anyObject({ doc: 'A directory of the node.' }),
    emptyDir: anyObject({ doc: 'A directory that goes with the pod.' }),
    volumeClaimTemplate: anyObject({ doc: 'A claim for each pod.' }),
    persistentVolumeSize: text({ doc: 'Size of each claim, in place of that of the template.' }),
    keepAfterDeletion: flag({ doc: 'Has no effect: claims are always kept.' }),
    enabled: flag({ doc: 'Whether each pod has a claim, by requests and storageClass.' }),
    requests: map(integerOrText({ doc: 'Amount.' }), { doc: 'What each claim requests.' }),
    storageClass: text({ doc: 'StorageClass of the claims.' }),
  },
  'Where the data of a member is: the first that is set of hostPath, emptyDir, volumeClaimTemplate and enabled.',
)

const sourceRef = (usual: string, doc: string) =>
  object(
    {},
    {
      name: text({ doc: 'Name of the ConfigMap, in the same namespace.' }),
      key: text({ doc: `Key in its data; ${usual} when absent.` }),
    },
    doc,
  )

const certification = object(
  {},
  {
    enabled: flag({ doc: 'Whether clients have to log in.' }),
    token: secret({ doc: 'Key that tokens are signed with; there is no default.' }),
    token_expire_seconds: text({ doc: 'How long a token is valid; 18000 when absent.' }),
    cache_enabled: flag({ doc: 'Whether the servers cache what is known of users.' }),
  },
  'Authentication of clients.',
)

const k8sWrapper = object(
  {},
  {
    PodSpec: anyObject({
      doc: 'A pod spec, laid over the generated one; the main container has the name of the Nacos.',
    }),
    podSpec: anyObject({ doc: 'Another spelling of PodSpec, to which it is moved.' }),
  },
  'What the pods have beside what is generated.',
)

const postgres = object(
  {},
  {
    host: text({ doc: 'Host of the PostgreSQL server.' }),
    port: text({ doc: 'Port of the PostgreSQL server; 5432 when absent.' }),
    database: text({ doc: 'Name of the database.' }),
    credentialsSecretRef: object(
      {},
      {
        name: text({ doc: 'Name of the Secret.' }),
        usernameKey: text({ doc: 'Key of the user; username when absent.' }),
        passwordKey: text({ doc: 'Key of the password; password when absent.' }),
      },
      'The Secret with user and password.',
    ),
  },
  'A PostgreSQL server.',
)

const pgInit = object(
  {},
  {
    enabled: flag({ doc: 'Not performed by this operator.' }),
    timeoutSeconds: integer({ doc: 'How long it may take; 20 when absent.' }),
    schemaVersion: integer({ doc: 'Version of the schema; 1 when absent.' }),
    policy: text({ doc: 'IfNotPresent, Always, Never or BumpVersion.' }),
  },
  'Initialization of the PostgreSQL schema, which this operator does not perform.',
)

const adminCredentialsSecretRef = object(
  {},
  {
    name: text({ doc: 'Name of the Secret.' }),
    usernameKey: text({ doc: 'Key of the user; username when absent.' }),
    passwordHashKey: text({ doc: 'Key of the bcrypt hash; passwordHash when absent.' }),
  },
  'Rotation of the admin password, which this operator does not perform.',
)

const identitySecretRef = object(
  {},
  {
    name: text({ doc: 'Name of the Secret.' }),
    keyKey: text({ doc: 'Key of the name of the header; identity_key when absent.' }),
    valueKey: text({ doc: 'Key of the value of the header; identity_value when absent.' }),
  },
  'The Secret with the identity by which servers know each other.',
)

const podFields = {
  image: text({ doc: 'Image of the server.' }),
  imagePullSecrets: list(object({}, { name: text({ doc: 'Name of the Secret.' }) }), {
    doc: 'Secrets by which the image is pulled.',
  }),
  resources: anyObject({ doc: 'Requests and limits of the main container.' }),
  affinity: anyObject({ doc: 'Affinity of the pods.' }),
  tolerations: list(anyObject({ doc: 'A toleration.' }), { doc: 'Tolerations of the pods.' }),
  nodeSelector: map(text({ doc: 'Value of the label.' }), { doc: 'Labels of the nodes that the pods run on.' }),
  livenessProbe: anyObject({ doc: 'Liveness probe of the main container.' }),
  readinessProbe: anyObject({ doc: 'Readiness probe of the main container; there is one when absent.' }),
  env: list(anyObject({ doc: 'A variable.' }), { doc: 'Environment of the main container.' }),
  k8sWrapper,
}

const configFields = {
  config: text({ doc: 'Configuration in the old way; ignored with userConfigRef or internalConfigRef.' }),
  userConfigRef: sourceRef('user.properties', 'The ConfigMap of the users, whose properties win.'),
  internalConfigRef: sourceRef('internal.properties', 'The ConfigMap of the operations team.'),
  finalConfigName: text({ doc: 'Name of the merged ConfigMap; <name>-final-config when absent.' }),
}

const nacos = object(
  {},
  {
    spec: object(
      {},
      {
        type: text({ doc: 'standalone or cluster; it cannot be changed.' }),
        replicas: integer({ doc: 'Members of the cluster.' }),
        function_mode: text({ doc: 'What the servers do: naming, config, microservice or ai; all when absent.' }),
        ...podFields,
        ...configFields,
        database,
        mysqlInitImage: text({ doc: 'Ignored.' }),
        volume,
        certification,
        postgres,
        pgInit,
        adminCredentialsSecretRef,
        adminSecretChecksum: text({ doc: 'Changed to ask for a rotation of the admin password.' }),
        identitySecretRef,
      },
      'The servers, their pods, and where their configuration comes from.',
    ),
    status,
  },
)
export type Nacos = KubeObject & Shape<typeof nacos>
export const NACOS = resource(
  { group: 'nacos.io', version: 'v1alpha1', kind: 'Nacos', plural: 'nacos', scope: 'Namespaced' },
  nacos,
)
