import { stringify } from 'yaml'
import { NAMES, spelled } from '../config.ts'
import type { Command } from './command.ts'

export const configPrint: Command = {
  doc: 'prints the effective configuration, in the form that --config reads',
  settings: NAMES,
  async run(config, { out }) {
    out(stringify(spelled(config)))
    return 0
  },
}
