import { stringify } from 'yaml'
import { NAMES, spelled } from '../config.ts'
import type { Command } from './command.ts'

export const configPrint: Command = {
  settings: NAMES,
  async run(config, { out }) {
    out(stringify(spelled(config)))
    return 0
  },
}
