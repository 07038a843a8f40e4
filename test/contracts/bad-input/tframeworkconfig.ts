import { TFRAMEWORKCONFIG } from '../../../webhooks/tars/tframeworkconfig/schema.ts'
import { aTFrameworkConfig } from '../../support/builders/framework-configs.ts'
import { asking, bomb, MANAGED, many, table } from './entry.ts'

const config = aTFrameworkConfig()
const { having, isNew, isMade, isChanged, isGone, created } = asking(TFRAMEWORKCONFIG, config)
const endpoint = (fields: object, word?: string) =>
  isNew(having({ upChain: { default: [{ host: 'a', port: 80, ...fields }] } }), word)

export const TFRAMEWORKCONFIGS = table`
  allowed
    a configuration with nothing wrong | ${created({})}
    a timeout of −0 upstream | ${endpoint({ timeout: '#' }, '-0')}
    a timeout beyond 2^53 upstream | ${endpoint({ timeout: '#' }, '9007199254740993')}
    10,000 names upstream | ${created({ upChain: Object.fromEntries(many(10_000, (at) => [`Obj${at}`, [{ host: 'a', port: 80 }]])) })}
    __proto__ upstream | ${isNew(having({ upChain: '#' }), '{"__proto__":[{"host":"a","port":80}]}')}
    an expand of 1 MB | ${created({ expand: { a: 'x'.repeat(1_000_000) } })}
    200 managedFields | ${created({}, { managedFields: MANAGED })}
    an empty image | ${created({ nodeImage: { image: '' } })}
    a regex bomb for the image | ${created({ nodeImage: { image: bomb(' ') } })}
    a regex bomb for the secret | ${created({ nodeImage: { image: 'a', secret: `${'a.'.repeat(100_000)}!` } })}
    a limit of 9 | ${created({ recordLimit: { timageRelease: 9 } })}
    a limit of 101 | ${created({ recordLimit: { timageRelease: 101 } })}
    port 0 upstream | ${endpoint({ port: 0 })}
    port 65536 upstream | ${endpoint({ port: 65_536 })}
    no endpoints upstream | ${created({ upChain: { default: [] } })}
  allowed metadata.name: ignored, for only tars-framework is read; give it that name (TF-W1)
    another name | ${created({}, { name: 'other' })}
    a name in unicode | ${created({}, { name: 'größe' })}
    a name in capitals | ${created({}, { name: 'Tars-Framework' })}
    a name of 254 characters | ${created({}, { name: 'a'.repeat(254) })}
    a name with a dot behind | ${created({}, { name: 'tars-framework.' })}
  allowed {}
    an update | ${isChanged(config, config)} | no handler for UPDATE of tframeworkconfigs v1beta2 on /validating
    a deletion | ${isGone(config)} | no handler for DELETE of tframeworkconfigs v1beta2 on /validating
    one that is to be mutated | ${isMade(config)} | no handler for CREATE of tframeworkconfigs v1beta2 on /mutating
  allowed {}: of another shape than this tars-admission knows, so the object is not checked (CV-8)
    no name yet, as with generateName | ${created({}, { name: undefined, generateName: 'tars-' })} | metadata.name
    an object without anything | ${isNew({})} | imageRegistry
    no nodeImage | ${created({ nodeImage: undefined })} | nodeImage
    nodeImage null | ${created({ nodeImage: null })} | nodeImage
    a limit of "48" | ${created({ recordLimit: { timageRelease: '48' } })} | recordLimit.timageRelease
    a limit of 48.5 | ${created({ recordLimit: { timageRelease: 48.5 } })} | recordLimit.timageRelease
    a limit of 1e400 | ${isNew(having({ recordLimit: { timageRelease: '#' } }), '1e400')} | recordLimit.timageRelease
    port "80" upstream | ${endpoint({ port: '80' })} | upChain[default][0].port
    numbers in expand | ${created({ expand: { a: 1 } })} | expand[a]
    labels that are numbers | ${created({}, { labels: { a: 1 } })} | metadata.labels[a]
`
