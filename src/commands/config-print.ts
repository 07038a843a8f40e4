import { stringify } from 'yaml'
import { ALL } from '../config.ts'
import type { Command } from './command.ts'
import { spelled } from './known.ts'

export const configPrint: Command = {
  settings: ALL,
  async run(config, { out }, { known }) {
    out(stringify(spelled(config, known)))
    return 0
  },
}
