import { type Listed, OF_FAMILIES, UsageError } from '../config.ts'
import type { FamilyCommand } from '../family.ts'
import type { Command } from './command.ts'

/** A person has more patience than a review. */
const READ_MS = 10_000
const SETTINGS: readonly Listed[] = ['kubeconfig', 'namespace', 'output', OF_FAMILIES]

/** A command that a family brings, on the cluster of --kubeconfig. */
export function commandOf({ namespace, words, flags, run }: FamilyCommand): Command {
  return {
    settings: SETTINGS,
    words,
    flags,
    ...(namespace && { usual: { namespace: namespace.usual }, says: { namespace: namespace.says } }),
    async run(config, { out }, chosen) {
      if (config.output === 'yaml') throw new UsageError('-o yaml is the form of review --plan')
      const { connect } = await import('../cluster/kube/wire/connection.ts')
      const { liveReader } = await import('../cluster/kube/live-reader.ts')
      const connection = await connect(config.kubeconfig)
      try {
        const question = {
          live: liveReader(connection, READ_MS),
          namespace: config.namespace,
          settings: config.settings,
        }
        const { text, data, code } = await run({ ...question, words: chosen.words })
        if (code === 2) throw new UsageError(text)
        out(config.output === 'json' ? `${JSON.stringify(data, null, 2)}\n` : text)
        return code
      } finally {
        connection.stop()
      }
    },
  }
}
