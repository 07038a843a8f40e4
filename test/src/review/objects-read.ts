import { kinds } from '../../support/kinds.ts'

export const READING = { kinds, recursive: false, note: () => {} }
export const named = (name: string) => `apiVersion: v1\nkind: Thing\nmetadata: { name: ${name} }\n`
