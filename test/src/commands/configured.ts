import { configFrom, type Sources } from '../../../src/commands/settings.ts'
import { type Config, NAMES } from '../../../src/config.ts'

/** Whatever the case is not about is not told at all. */
export function configOf(sources: Partial<Sources> = {}): Config {
  return configFrom({ args: [], env: {}, names: NAMES, readFile: () => ({}), ...sources })
}
/** As if `--config settings.yaml` had been said, and this stood there. */
export const inFile = (content: unknown, ...args: string[]) => ({
  args: ['--config', 'settings.yaml', ...args],
  readFile: () => content,
})
