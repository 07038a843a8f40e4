import { flag, type KubeObject, moment, object, resource, type Shape, text } from '../../kit/schema.ts'
import { identifier } from '../fields.ts'
import { tarsResource } from '../names.ts'

/** The podSeq of a configuration for all pods; any other is the ordinal of one pod. */
export const MASTER = 'm'

const tconfig = object(
  {
    app: identifier({ doc: 'Application that the configuration is for; it cannot be changed later.' }),
    configName: text({
      maxLength: 63,
      pattern: '^([0-9A-Za-z][-._0-9A-Za-z]*)?[0-9A-Za-z]$',
      doc: 'Name of the file as the server asks for it; it cannot be changed later.',
    }),
    configContent: text({
      maxLength: 1_560_000,
      doc: 'Content of the file. It is never changed: new content is a new TConfig, so the old one can be returned to.',
    }),
  },
  {
    server: text({
      maxLength: 63,
      pattern: '^([A-Za-z][0-9A-Za-z]*)?$',
      default: '',
      doc: 'Server that the configuration is for; empty for the whole application. It cannot be changed later.',
    }),
    podSeq: text({
      maxLength: 2,
      pattern: '^(m|0|[1-9][0-9]?)$',
      default: MASTER,
      doc: 'm for all pods, or the ordinal of the one pod that is given this content as well.',
    }),
    activated: flag({
      default: true,
      doc: 'Whether this version is in force. Setting it to true ends the one that was; nobody sets it to false by hand.',
    }),
    version: text({
      maxLength: 63,
      pattern: '^([0-9a-z][-0-9a-z]*)?[0-9a-z]$',
      doc: 'Set when the object is created: the time in UTC and a checksum of its name. Leave it out.',
    }),
    updateTime: moment({ doc: 'Set when the object is created. Leave it out.' }),
    updatePerson: text({ maxLength: 100, doc: 'Who wrote this version, in words of the author’s choice.' }),
    updateReason: text({ maxLength: 1600, doc: 'Why there is this version.' }),
  },
)
export type TConfig = KubeObject & Shape<typeof tconfig>
export const TCONFIG = resource(tarsResource('TConfig', 'tconfigs'), tconfig)
