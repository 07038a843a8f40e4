import { LABEL_VALUE_LENGTH } from './labels.ts'
import { SUBDOMAIN, SUBDOMAIN_LENGTH } from './names.ts'

// What kube-apiserver has against names, keys and label values: nothing, or sentences in its own words.

const KEY = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const VALUE = `(${KEY})?`
const KEY_LENGTH = 63

const ENDS = 'and must start and end with an alphanumeric character'
const CHARACTERS = `consist of alphanumeric characters, '-', '_' or '.', ${ENDS}`
const KEY_EXAMPLES = `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${KEY}')`
const VALUE_EXAMPLES = `(e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${VALUE}')`
const SUBDOMAIN_WORDS =
  `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${ENDS} ` +
  `(e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`

/** The name of an object is counted in characters, the prefix of a key in bytes: there are two checks of one rule. */
export function againstName(name: string): readonly string[] {
  return [...longerThan(SUBDOMAIN_LENGTH, name, 'characters'), ...unlike(SUBDOMAIN, name, SUBDOMAIN_WORDS)]
}

export function againstKey(key: string): readonly string[] {
  const [first = '', second, third] = key.split('/')
  if (third !== undefined) {
    const prefix = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
    return [`a valid label key must ${CHARACTERS} ${KEY_EXAMPLES} ${prefix}`]
  }
  if (second === undefined) return againstKeyName(first)
  return [...againstPrefix(first).map((words) => `prefix part ${words}`), ...againstKeyName(second)]
}

function againstPrefix(prefix: string): readonly string[] {
  if (prefix === '') return ['must be non-empty']
  return [...longerThan(SUBDOMAIN_LENGTH, prefix, 'bytes'), ...unlike(SUBDOMAIN, prefix, SUBDOMAIN_WORDS)]
}

function againstKeyName(name: string): readonly string[] {
  const found = [
    ...(name === '' ? ['must be non-empty'] : longerThan(KEY_LENGTH, name, 'bytes')),
    ...unlike(KEY, name, `must ${CHARACTERS} ${KEY_EXAMPLES}`),
  ]
  return found.map((words) => `name part ${words}`)
}

export function againstLabelValue(value: string): readonly string[] {
  const words = `a valid label must be an empty string or ${CHARACTERS} ${VALUE_EXAMPLES}`
  return [...longerThan(LABEL_VALUE_LENGTH, value, 'bytes'), ...unlike(VALUE, value, words)]
}

function longerThan(limit: number, value: string, unit: string): readonly string[] {
  return value.length > limit ? [`must be no more than ${limit} ${unit}`] : []
}
function unlike(pattern: string, value: string, words: string): readonly string[] {
  return new RegExp(`^${pattern}$`).test(value) ? [] : [words]
}
