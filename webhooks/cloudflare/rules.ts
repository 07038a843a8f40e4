import type { Create, Finding, Rule, Update } from '../kit/admission.ts'
import type { KubeObject } from '../kit/schema.ts'
import { ANNOTATIONS } from './names.ts'
import type { OriginCheck } from './origin-checks.ts'
import { RESERVED_WORDS } from './ownership.ts'

export type ObjectWrite<T> = Create<T> | Update<T>

/** A text of an object, and where it stands. */
export interface TextAt {
  readonly path: string
  readonly value: string | undefined
}
export type TextsOf<T> = (object: T) => readonly TextAt[]

/** CF-V-06: an author does not write marks; the worker does. */
export function unmarked<T extends KubeObject>(field: string, textsOf: TextsOf<T>): Rule<T> {
  return {
    id: 'CF-V-06',
    field,
    on: 'write',
    check: ({ next }) =>
      textsOf(next).flatMap(({ path, value = '' }) =>
        RESERVED_WORDS.filter((word) => value.includes(word)).map((word) => ({ path, value: word })),
      ),
    message: ({ value }) => `${value} is reserved for marks of ownership`,
    remedy: 'leave it out; the worker writes the mark itself',
  }
}

/** CF-V-14: what cloudflared would refuse. */
export function goodFor<T extends KubeObject>(
  field: string,
  textsOf: (object: T) => readonly (TextAt & { readonly check: OriginCheck })[],
): Rule<T> {
  return {
    id: 'CF-V-14',
    field,
    on: 'write',
    check: ({ next }) =>
      textsOf(next).flatMap(({ path, value, check }) => {
        const flaw = value === undefined || value === '' ? undefined : check(value)
        return flaw === undefined ? [] : [{ path, value: shortened(value), by: [flaw] }]
      }),
    message: ({ value, by = [] }) => `"${value}" ${by.join()}`,
    examples: [{ path: '', value: '<value>', by: ['is no hostname'] }],
    remedy: 'write what cloudflared takes: a hostname, a URL without a path, an expression of RE2, a duration',
  }
}
const MOST_SHOWN = 200
const shortened = (text = '') => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)

const KIND_NAME = '[A-Z][A-Za-z0-9]{0,62}'
const OWNER = new RegExp(`^${KIND_NAME}/([a-z0-9][-a-z0-9]{0,62}/)?[a-z0-9][-a-z0-9.]{0,252}$`)
const VALUES: Readonly<Record<string, readonly string[] | RegExp>> = {
  [ANNOTATIONS.adoptionPolicy]: ['MustNotExist', 'IfExists', 'MustExist', 'Force'],
  [ANNOTATIONS.deletionPolicy]: ['Delete', 'Orphan'],
  [ANNOTATIONS.drift]: ['ignore'],
  [ANNOTATIONS.foreignRules]: ['overwrite', 'import'],
  [ANNOTATIONS.adoptFrom]: OWNER,
  [ANNOTATIONS.handOverTo]: OWNER,
}

/** CF-V-11 */
export function annotated<T extends KubeObject>(): Rule<T> {
  return {
    id: 'CF-V-11',
    field: 'metadata.annotations',
    on: 'write',
    check: ({ next: { metadata } }) =>
      Object.entries(VALUES).flatMap(([name, values]): readonly Finding[] => {
        const value = metadata.annotations?.[name]
        const fits = value === undefined || (values instanceof RegExp ? values.test(value) : values.includes(value))
        return fits ? [] : [{ path: `metadata.annotations[${name}]`, value: shortened(value), by: wordsOf(values) }]
      }),
    message: ({ value }) => `"${value}" is not understood`,
    examples: [{ path: '', value: '<value>', by: ['Delete', 'Orphan'] }],
    remedy: ({ by = [] }) => `write ${by.join(' or ')}`,
  }
}
const wordsOf = (values: readonly string[] | RegExp) => (values instanceof RegExp ? ['Kind/namespace/name'] : values)

/** CF-V-08: of a field that cannot change once the remote object is there. */
export function fixed<T extends KubeObject>(
  remoteId: TextIn<T>,
  valuesIn: Readonly<Record<string, TextIn<T>>>,
): Rule<T> {
  return {
    id: 'CF-V-08',
    field: Object.keys(valuesIn).join(', '),
    on: 'update',
    when: ({ prev }) => Boolean(remoteId(prev) || prev.metadata.annotations?.[ANNOTATIONS.remoteId]),
    check: ({ next, prev }) =>
      Object.entries(valuesIn).flatMap(([path, valueIn]) =>
        valueIn(next) === valueIn(prev) ? [] : [{ path, value: valueIn(prev) ?? '' }],
      ),
    message: ({ value }) =>
      `was ${value === '' ? 'absent' : `"${value}"`}, and cannot change once the object of Cloudflare is there`,
    remedy: 'leave it as it is, or create another object',
  }
}
export type TextIn<T> = (object: T) => string | undefined
