import { choice, type KubeObject, list, moment, object, resource, type Shape, text } from '../../kit/schema.ts'
import { image, releaseId, secretName } from '../fields.ts'
import { tarsResource } from '../names.ts'

export const SUPPORTED = ['cpp', 'nodejs', 'nodejs-pkg', 'java-war', 'java-jar', 'go', 'php'] as const

const person = text({ maxLength: 100, doc: 'Who made it.' })
const mark = text({ maxLength: 1_600, doc: 'What else there is to say of it.' })

const release = object(
  {
    id: releaseId({ doc: 'What the release is known by; of two alike the first one stays.' }),
    image: image({ doc: 'The image of the release.' }),
  },
  {
    secret: secretName({ doc: 'The Secret of this namespace that the image is pulled with.' }),
    createPerson: person,
    createTime: moment({ doc: 'When it was made; filled in where it is missing.' }),
    mark,
  },
)

const buildOf = (doc: string) =>
  object(
    {
      id: releaseId({ doc: 'Id of the release that is built.' }),
      baseImage: image({ doc: 'The image that it is built upon.' }),
      image: image({ doc: 'The image that is built.' }),
    },
    {
      baseImageSecret: secretName({ doc: 'The Secret of this namespace that the base image is pulled with.' }),
      secret: secretName({ doc: 'The Secret of this namespace that the image is pulled with.' }),
      serverType: choice(SUPPORTED, { doc: 'What the program is written in.' }),
      createPerson: person,
      createTime: moment({ doc: 'When the build began.' }),
      mark,
      phase: text({ doc: 'How far the build is.' }),
      message: text({ doc: 'What there is to say of that.' }),
      handler: text({ doc: 'Who builds it.' }),
    },
    doc,
  )

const timage = object(
  {
    imageType: choice(['base', 'server', 'node'], {
      doc: 'What the image holds: what programs need to run, a program, or tarsnode.',
    }),
  },
  {
    supportedType: list(choice(SUPPORTED, { doc: 'A kind of program.' }), {
      minItems: 1,
      doc: 'The programs that run on it, for imageType base.',
    }),
    mark,
    releases: list(release, {
      maxItems: 120,
      doc: 'The releases, the latest first; how many of them stay, recordLimit.timageRelease of TFrameworkConfig says.',
    }),
    default: releaseId({ doc: 'Id of the release that is taken when none is named; it always stays.' }),
    build: object(
      {},
      {
        running: buildOf('What is being built.'),
        last: buildOf('What was built before.'),
      },
      'Builds of the image.',
    ),
  },
)
export type TImage = KubeObject & Shape<typeof timage>
export const TIMAGE = resource(tarsResource('TImage', 'timages'), timage)
