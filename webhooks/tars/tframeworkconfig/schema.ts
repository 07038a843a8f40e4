import {
  flag,
  integer,
  type KubeObject,
  list,
  map,
  object,
  resource,
  type Shape,
  text,
  usually,
} from '../../kit/schema.ts'
import { image, OBJECT_NAME, secretName } from '../fields.ts'
import { tarsResource } from '../names.ts'

/** The lowest value of every record limit. */
export const LEAST_LIMIT = 10
const limit = (doc: string) => integer({ minimum: LEAST_LIMIT, maximum: 100, default: 48, doc })

const endpoint = object(
  {
    host: text({ ...OBJECT_NAME, doc: 'Address or name of the host.' }),
    port: integer({ minimum: 1, maximum: 65_535, doc: 'Port on that host.' }),
  },
  {
    timeout: integer({ default: 6_000, doc: 'Milliseconds that a caller waits for an answer.' }),
    isTcp: flag({ default: true, doc: 'Whether it is TCP; otherwise UDP.' }),
  },
)

const recordLimit = object(
  {},
  {
    texitedPod: limit('Pods that a TExitedRecord remembers.'),
    tconfigHistory: limit('Former versions that are kept of a TConfig, beside the active one.'),
    timageRelease: limit('Releases that a TImage may list.'),
  },
  'How much is kept of what only grows.',
)

const tframeworkconfig = object(
  {
    imageRegistry: object(
      {
        registry: image({ doc: 'Where images that are built here are pushed to.' }),
      },
      {
        secret: secretName({ default: '', doc: 'The Secret of this namespace that opens the registry.' }),
      },
      'The registry of the images that are built here.',
    ),
    nodeImage: object(
      {
        image: image({ doc: 'The image of tarsnode, which starts and watches a tars server in its pod.' }),
      },
      {
        secret: secretName({ default: '', doc: 'The Secret of this namespace that the image is pulled with.' }),
      },
      'What a release of a tars server gets that names no tarsnode of its own.',
    ),
  },
  {
    imageBuild: object(
      {},
      {
        maxBuildTime: integer({
          minimum: 180,
          maximum: 900,
          default: 300,
          doc: 'Seconds after which the build of an image counts as failed.',
        }),
        idFormat: text({ default: '', doc: 'How the ids of new releases are formed.' }),
      },
      'How images are built.',
    ),
    recordLimit: usually(recordLimit, {}),
    upChain: map(list(endpoint, { minItems: 1, doc: 'Endpoints to call instead.' }), {
      default: {},
      doc: 'Endpoints of another Tars cluster, by the name of an obj that is not found in this one; `default` for all others.',
    }),
    expand: map(text({ doc: 'Value.' }), { default: {}, doc: 'Texts of your own, by key.' }),
  },
)
export type TFrameworkConfig = KubeObject & Shape<typeof tframeworkconfig>
export const TFRAMEWORKCONFIG = resource(tarsResource('TFrameworkConfig', 'tframeworkconfigs'), tframeworkconfig)
