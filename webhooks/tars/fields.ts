import { type Field, SUBDOMAIN_LENGTH, SUBDOMAIN_OR_EMPTY, text } from '../kit.ts'

interface Said {
  readonly doc: string
}

/** As a registry takes it, digests and tags in upper case among it. */
export const image = ({ doc }: Said): Field<string> => text({ maxLength: 500, pattern: '^[\\x21-\\x7e]+$', doc })

/** Of a Secret of the namespace, or of none. */
export const secretName = ({ doc, ...rest }: Said & { readonly default?: string }): Field<string> =>
  text({ maxLength: SUBDOMAIN_LENGTH, pattern: SUBDOMAIN_OR_EMPTY, doc, ...rest })

/** What one release of a server is known by. */
export const releaseId = ({ doc }: Said): Field<string> =>
  text({ maxLength: 63, pattern: '^([0-9A-Za-z][-_.0-9A-Za-z]*)?[0-9A-Za-z]$', doc })

/** Of an app or a server. */
export const identifier = ({ doc }: Said): Field<string> =>
  text({ maxLength: 63, pattern: '^[A-Za-z][0-9A-Za-z]*$', doc })
