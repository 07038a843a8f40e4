import type { Given } from './flags.ts'
import type { Option } from './option.ts'
import { ALL, OPTIONS } from './options.ts'

export type Env = Readonly<Record<string, string | undefined>>

export interface InEnvironment {
  readonly given: Given
  readonly wrong: readonly string[]
}

/** CONFD_ and the key, or the flag where there is no key (SY-CLI-9). An empty variable is none. */
export function optionsInEnv(env: Env): InEnvironment {
  const given = new Map<Option<unknown>, unknown>()
  const wrong: string[] = []
  for (const option of ALL) {
    const name = variableOf(option)
    const text = env[name] ?? ''
    if (text === '' || option === OPTIONS.version) continue
    const value = option.kind.ofText(text)
    if (value === undefined) wrong.push(`${name}: it takes ${option.kind.says}`)
    else given.set(option, value)
  }
  return { given, wrong }
}

export const variableOf = ({ key, flag = '' }: Option<unknown>) =>
  `CONFD_${(key ?? flag).replaceAll('-', '_').toUpperCase()}`
