import { LABEL_VALUE_LENGTH } from '../../src/kube/labels.ts'
import { SUBDOMAIN_LENGTH, SUBDOMAIN_OR_EMPTY } from '../../src/kube/names.ts'
import { type Field, text } from '../kit/schema.ts'

interface FieldDoc {
  readonly doc: string
}

/** The longest path that Linux takes. */
export const PATH = { maxLength: 4_095 } as const
/** The longest label key, with its prefix. */
export const LABEL_KEY = { maxLength: SUBDOMAIN_LENGTH + 1 + 63 } as const
export const LABEL_VALUE = { maxLength: LABEL_VALUE_LENGTH } as const
/** The name of any object, or a key in a ConfigMap or a Secret. */
export const OBJECT_NAME = { maxLength: SUBDOMAIN_LENGTH } as const

/** A registry takes digests and upper-case tags too. */
export const image = ({ doc }: FieldDoc): Field<string> => text({ maxLength: 500, pattern: '^[\\x21-\\x7e]+$', doc })

/** Names a Secret of the namespace; empty for none. */
export const secretName = ({ doc, ...rest }: FieldDoc & { readonly default?: string }): Field<string> =>
  text({ maxLength: SUBDOMAIN_LENGTH, pattern: SUBDOMAIN_OR_EMPTY, doc, ...rest })

/** Identifies one release of a server. */
export const releaseId = ({ doc }: FieldDoc): Field<string> =>
  text({ maxLength: 63, pattern: '^([0-9A-Za-z][-_.0-9A-Za-z]*)?[0-9A-Za-z]$', doc })

/** The name of an app or a server. */
export const identifier = ({ doc }: FieldDoc): Field<string> =>
  text({ maxLength: 63, pattern: '^[A-Za-z][0-9A-Za-z]*$', doc })
