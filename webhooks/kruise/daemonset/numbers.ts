import { isTree } from '../../kit/schema.ts'

export interface NumberAt {
  readonly path: string
  readonly value: number
}

/** The numbers that would be stored as others: infinite ones, and integers of more than 53 bits (PATCH-V-19). */
export function hugeNumbers(value: unknown, path = ''): readonly NumberAt[] {
  if (typeof value === 'number') return isKept(value) ? [] : [{ path, value }]
  if (Array.isArray(value)) return value.flatMap((item, at) => hugeNumbers(item, `${path}[${at}]`))
  if (!isTree(value)) return []
  return Object.entries(value).flatMap(([key, child]) => hugeNumbers(child, `${path}.${key}`))
}

const isKept = (value: number) => Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
