import { goInteger } from '../options/go-values.ts'

export interface Mode {
  readonly mode?: number
  readonly wrong?: string
  readonly warning?: string
}

const ALL_BITS = 0o7777
/** Special bits are never set. */
const PERMISSIONS = 0o777

/** As a Go literal, whose prefix says the base: "644" is decimal (SY-RES-8). */
export function modeIn(text: string): Mode {
  if (text === '') return {}
  const value = /^[+-]/.test(text) ? undefined : goInteger(text)
  if (value === undefined) return { wrong: 'mode: it takes an octal number with a leading zero, such as "0644"' }
  if (value > ALL_BITS) return { wrong: 'mode: it has more bits than 07777; write it as "0644"' }
  const mode = Number(value) & PERMISSIONS
  if (!/^[0-7]{3,4}$/.test(text) || text.startsWith('0')) return { mode }
  const meant = `mode: "${text}" is decimal and gives 0${mode.toString(8)}; write "0${text}" for octal`
  return { mode, warning: meant }
}
