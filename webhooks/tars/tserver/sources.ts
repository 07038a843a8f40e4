import { choice, flag, integer, integerOrText, list, map, object, oneOf, text, usually } from '../../kit/schema.ts'
import { LABEL_KEY, LABEL_VALUE, OBJECT_NAME, PATH } from '../fields.ts'

/** Accepts quantities as kube-apiserver does: 1, "500m", "1.5Gi", "1e3". */
export const QUANTITY = {
  maxLength: 64,
  pattern:
    '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
} as const

const needNotExist = flag({ default: true, doc: 'Whether pods start without it.' })
const keyOf = (what: string) =>
  object(
    {
      name: text({ ...OBJECT_NAME, doc: `Name of the ${what}.` }),
      key: text({ ...OBJECT_NAME, doc: 'Key in it.' }),
    },
    { optional: needNotExist },
    `A key of a ${what}.`,
  )
const wholeOf = (what: string) =>
  object(
    { name: text({ ...OBJECT_NAME, doc: `Name of the ${what}.` }) },
    { optional: needNotExist },
    `All keys of a ${what}.`,
  )

const valueFrom = oneOf(
  object(
    {},
    {
      fieldRef: object(
        { fieldPath: text({ doc: 'Path of the field: metadata.name, status.podIP.' }) },
        { apiVersion: text({ doc: 'Version in which the path is read; v1 when absent.' }) },
        'A field of the pod.',
      ),
      resourceFieldRef: object(
        { resource: text({ doc: 'Which amount: limits.cpu.' }) },
        {
          containerName: text({ doc: 'Of which container; of this one when absent.' }),
          divisor: usually(integerOrText({ ...QUANTITY, doc: 'Unit in which it is told.' }), '1'),
        },
        'An amount of resources of the container.',
      ),
      configMapKeyRef: keyOf('ConfigMap'),
      secretKeyRef: keyOf('Secret'),
    },
    'Where the value comes from: one of these.',
  ),
  ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef'],
)

export const environment = oneOf(
  object(
    { name: text({ pattern: '^[-._0-9A-Za-z]{1,63}$', maxLength: 63, doc: 'Name of the variable.' }) },
    { value: text({ doc: 'Its value.' }), valueFrom },
    'A variable: its name, and one of value and valueFrom.',
  ),
  ['value', 'valueFrom'],
)

export const environmentFrom = oneOf(
  object(
    {},
    {
      prefix: text({ maxLength: 63, pattern: '^[A-Za-z][_0-9A-Za-z]*$', doc: 'Put before each name.' }),
      configMapRef: wholeOf('ConfigMap'),
      secretRef: wholeOf('Secret'),
    },
    'Variables from all keys of one object.',
  ),
  ['configMapRef', 'secretRef'],
)

const mode = integer({
  minimum: 0,
  maximum: 511,
  default: 420,
  doc: 'Permissions of the file, in decimal: 420 is 0644.',
})
const files = {
  items: list(
    object(
      {
        key: text({ ...OBJECT_NAME, doc: 'Key.' }),
        path: text({ ...PATH, doc: 'File that it becomes, relative to the mount.' }),
      },
      { mode },
      'A key, and the file that it becomes.',
    ),
    { doc: 'Which keys become which files; all keys when absent.' },
  ),
  defaultMode: integer({ minimum: 0, maximum: 511, default: 420, doc: 'Permissions of files that say none.' }),
  optional: needNotExist,
}

const storage = (doc: string) => integerOrText({ ...QUANTITY, doc })
const labels = (doc: string) => map(text({ ...LABEL_VALUE, doc: 'Value.' }), { doc })

const selector = object(
  {},
  {
    matchLabels: labels('Labels that it must have.'),
    matchExpressions: list(
      object(
        {
          key: text({ ...LABEL_KEY, doc: 'Label.' }),
          operator: choice(['In', 'NotIn', 'Exists', 'DoesNotExist'], { doc: 'How its value is compared.' }),
        },
        { values: list(text({ ...LABEL_VALUE, doc: 'Value.' }), { doc: 'What it is compared with.' }) },
        'What a label must be.',
      ),
      { doc: 'What else must hold of its labels.' },
    ),
  },
  'Which volumes may be bound.',
)

const claim = object(
  {
    accessModes: list(
      choice(['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany'], { doc: 'Who may mount it at a time.' }),
      { minItems: 1, doc: 'How it may be mounted.' },
    ),
    resources: object(
      { requests: object({ storage: storage('Size that it has at least.') }, {}, 'What is asked for.') },
      { limits: object({}, { storage: storage('Size that it has at most.') }, 'What it may not exceed.') },
      'Its size.',
    ),
  },
  {
    storageClassName: text({ ...OBJECT_NAME, doc: 'StorageClass; the usual one of the cluster when absent.' }),
    volumeName: text({ ...OBJECT_NAME, doc: 'PersistentVolume that it is bound to.' }),
    volumeMode: choice(['Filesystem', 'Block'], { doc: 'What the pod is given; a Filesystem when absent.' }),
    selector,
  },
  'As in a PersistentVolumeClaim.',
)

const owner = (doc: string) => text({ pattern: '^(0|[1-9][0-9]{0,5})$', maxLength: 6, default: '0', doc })

export const source = oneOf(
  object(
    {},
    {
      configMap: object(
        { name: text({ ...OBJECT_NAME, doc: 'Name of the ConfigMap.' }) },
        files,
        'Files from a ConfigMap.',
      ),
      secret: object(
        { secretName: text({ ...OBJECT_NAME, doc: 'Name of the Secret.' }) },
        files,
        'Files from a Secret.',
      ),
      emptyDir: object(
        {},
        {
          medium: choice(['', 'Memory'], { doc: 'Memory, or the disk of the node when empty.' }),
          sizeLimit: storage('Size that it may not exceed.'),
        },
        'A folder that lives as long as the pod.',
      ),
      hostPath: object(
        {
          path: text({ ...PATH, doc: 'Path on the node.' }),
          type: choice(
            ['', 'Directory', 'DirectoryOrCreate', 'FileOrCreate', 'File', 'Socket', 'CharDevice', 'BlockDevice'],
            { doc: 'What must be there; unchecked when empty.' },
          ),
        },
        {},
        'A path of the node.',
      ),
      persistentVolumeClaim: object(
        { claimName: text({ ...OBJECT_NAME, doc: 'Name of the PersistentVolumeClaim.' }) },
        { readOnly: flag({ default: false, doc: 'Whether it may only be read.' }) },
        'A claim that is there already.',
      ),
      persistentVolumeClaimTemplate: object(
        { spec: claim },
        {
          metadata: object(
            {},
            {
              labels: labels('Labels of the claims.'),
              annotations: map(text({ doc: 'Value.' }), { doc: 'Annotations of the claims.' }),
            },
            'What the claims carry; their name is that of the mount.',
          ),
        },
        'A claim of its own for each pod; only with subType tars, and not with daemonSet.',
      ),
      tLocalVolume: object(
        {},
        {
          uid: owner('User that owns the folder.'),
          gid: owner('Group that owns the folder.'),
          mode: text({
            maxLength: 4,
            pattern: '^0?[0-7]{3}$',
            default: '755',
            doc: 'Permissions of the folder, in octal.',
          }),
        },
        'A folder of the node that stays with the pod; only with subType tars, and not with daemonSet.',
      ),
    },
    'Where the volume comes from: one of these.',
  ),
  [
    'configMap',
    'secret',
    'emptyDir',
    'hostPath',
    'persistentVolumeClaim',
    'persistentVolumeClaimTemplate',
    'tLocalVolume',
  ],
)
