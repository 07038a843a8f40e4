import type { Tree } from '../../../src/schema.ts'
import { TFRAMEWORKCONFIG } from '../../../webhooks/tars/tframeworkconfig/schema.ts'
import { aTFrameworkConfig } from '../../support/builders/framework-configs.ts'
import { reviewsOf } from '../../support/reviews.ts'
import { allowed, type Group, having, inWords, MANAGED, mutated, raw, unchecked, validated } from './entry.ts'

const { creationOf, updateOf, deletionOf } = reviewsOf(TFRAMEWORKCONFIG)
const config = aTFrameworkConfig()
const isNew = (fields: Tree, metadata: Tree = {}) => validated(creationOf(having(config, fields, metadata)))
const endpoint = (fields: object) => isNew({ upChain: { default: [{ host: 'a', port: 80, ...fields }] } })

export const TFRAMEWORKCONFIGS: readonly Group[] = [
  allowed({
    'a configuration with nothing wrong': isNew({}),
    'a timeout of −0 upstream': inWords(
      creationOf(having(config, { upChain: { default: [{ host: 'a', port: 80, timeout: '#' }] } })),
      { '#': '-0' },
    ),
    'a timeout beyond 2^53 upstream': inWords(
      creationOf(having(config, { upChain: { default: [{ host: 'a', port: 80, timeout: '#' }] } })),
      { '#': '9007199254740993' },
    ),
    '10,000 names upstream': isNew({
      upChain: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`Obj${at}`, [{ host: 'a', port: 80 }]])),
    }),
    '__proto__ upstream': raw(
      JSON.stringify(creationOf(config)).replace('"upChain":{', '"upChain":{"__proto__":[{"host":"a","port":80}]'),
    ),
    'an expand of 1 MB': isNew({ expand: { a: 'x'.repeat(1_000_000) } }),
    '200 managedFields': isNew({}, { managedFields: MANAGED }),
    'an empty image': isNew({ nodeImage: { image: '' } }),
    'a regex bomb for the image': isNew({ nodeImage: { image: `${'a-'.repeat(100_000)} ` } }),
    'a regex bomb for the secret': isNew({ nodeImage: { image: 'a', secret: `${'a.'.repeat(100_000)}!` } }),
    'a limit of 9': isNew({ recordLimit: { timageRelease: 9 } }),
    'a limit of 101': isNew({ recordLimit: { timageRelease: 101 } }),
    'port 0 upstream': endpoint({ port: 0 }),
    'port 65536 upstream': endpoint({ port: 65_536 }),
    'no endpoints upstream': isNew({ upChain: { default: [] } }),
  }),
  allowed(
    {
      'another name': isNew({}, { name: 'other' }),
      'a name in unicode': isNew({}, { name: 'größe' }),
      'a name in capitals': isNew({}, { name: 'Tars-Framework' }),
      'a name of 254 characters': isNew({}, { name: 'a'.repeat(254) }),
      'a name with a dot behind': isNew({}, { name: 'tars-framework.' }),
    },
    'metadata.name: ignored, for only tars-framework is read; give it that name (TF-W1)',
  ),
  allowed(
    { 'an update': validated(updateOf(config, config)) },
    'no handler for UPDATE of tframeworkconfigs v1beta2 on /validating',
  ),
  allowed(
    { 'a deletion': validated(deletionOf(config)) },
    'no handler for DELETE of tframeworkconfigs v1beta2 on /validating',
  ),
  allowed(
    { 'one that is to be mutated': mutated(creationOf(config)) },
    'no handler for CREATE of tframeworkconfigs v1beta2 on /mutating',
  ),
  ...unchecked({
    'metadata.name': { 'no name yet, as with generateName': isNew({}, { name: undefined, generateName: 'tars-' }) },
    imageRegistry: { 'an object without anything': validated(creationOf({})) },
    nodeImage: { 'no nodeImage': isNew({ nodeImage: undefined }), 'nodeImage null': isNew({ nodeImage: null }) },
    'recordLimit.timageRelease': {
      'a limit of "48"': isNew({ recordLimit: { timageRelease: '48' } }),
      'a limit of 48.5': isNew({ recordLimit: { timageRelease: 48.5 } }),
      'a limit of 1e400': inWords(creationOf(having(config, { recordLimit: { timageRelease: '#' } })), {
        '#': '1e400',
      }),
    },
    'upChain.default[0].port': { 'port "80" upstream': endpoint({ port: '80' }) },
    'expand.a': { 'numbers in expand': isNew({ expand: { a: 1 } }) },
    'metadata.labels.a': { 'labels that are numbers': isNew({}, { labels: { a: 1 } }) },
  }),
]
