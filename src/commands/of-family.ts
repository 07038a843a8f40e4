import type { ClusterReader } from '../cluster/port.ts'
import { type Config, type Listed, OF_FAMILIES, UsageError } from '../config.ts'
import type { CommandAnswer, FamilyCommand } from '../family.ts'
import { type Command, NO_PAGE, type World } from './command.ts'

/** A person has more patience than a review. */
const READ_MS = 10_000
const SETTINGS: readonly Listed[] = ['kubeconfig', 'namespace', 'output', OF_FAMILIES]
const SETTINGS_OF_FILES: readonly Listed[] = ['file', 'recursive', ...SETTINGS]
const FILE = 'objects to look at, in place of those of a cluster; - is stdin'

/** A command that a family brings, on the cluster of --kubeconfig or on files. */
export function commandOf({ namespace, words, flags, ofFiles, run }: FamilyCommand): Command {
  return {
    settings: ofFiles ? SETTINGS_OF_FILES : SETTINGS,
    words,
    flags,
    ...(namespace && { usual: { namespace: namespace.usual } }),
    says: { ...(namespace && { namespace: namespace.says }), ...(ofFiles && { file: FILE }) },
    async run(config, world, { words, explicit }) {
      if (config.output === 'yaml') throw new UsageError('-o yaml is the form of review --plan')
      if (explicit.has('file') && explicit.has('kubeconfig'))
        throw new UsageError('-f looks at files and --kubeconfig at a cluster: give one of them')
      await using resources = new AsyncDisposableStack()
      const live = await (explicit.has('file') ? ofFile(config, world) : ofCluster(config, resources))
      const { namespace, settings } = config
      const answer = await run({ live, namespace, settings, words })
      if (answer.code === 2) throw new UsageError(answer.text)
      world.out(printed(answer, config))
      return answer.code
    },
  }
}

async function ofCluster({ kubeconfig }: Config, resources: AsyncDisposableStack): Promise<ClusterReader> {
  const { connect } = await import('../cluster/kube/wire/connection.ts')
  const { liveReader } = await import('../cluster/kube/live-reader.ts')
  return liveReader(
    resources.adopt(await connect(kubeconfig), (each) => each.stop()),
    READ_MS,
  )
}

async function ofFile({ file, recursive, namespace }: Config, { stdin, err }: World): Promise<ClusterReader> {
  const [{ objectsIn }, { fileReader }] = await Promise.all([
    import('../review/objects.ts'),
    import('../review/file-reader.ts'),
  ])
  const note = (note: string) => err(`${note}\n`)
  return fileReader(await objectsIn(file, { kinds: [], recursive, stdin, note }), namespace)
}

function printed({ text, data, page }: CommandAnswer, { output }: Config): string {
  if (output === 'json') return `${JSON.stringify(data, null, 2)}\n`
  if (output !== 'html') return text
  if (page === undefined) throw new UsageError(NO_PAGE)
  return page
}
