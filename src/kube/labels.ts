const VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/
export const LABEL_VALUE_LENGTH = 63

export function isLabelValue(value: string): boolean {
  return value.length <= LABEL_VALUE_LENGTH && VALUE.test(value)
}

export type Labels = Readonly<Record<string, string>> | null | undefined

/** Compares every wanted label for equality. */
export function carries(labels: Labels, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(
    ([key, value]) => labels != null && Object.hasOwn(labels, key) && labels[key] === value,
  )
}

/** Whatever their values. */
export function carriesAll(labels: Labels, names: readonly string[]): boolean {
  return names.every((name) => labels != null && Object.hasOwn(labels, name))
}
