import { type Config, flagOf, type Listed, OF_FAMILIES, UsageError } from '../config.ts'
import { controllersOf, kindsOf } from '../family.ts'
import type { Callers } from '../http/callers.ts'
import { manifestsOf } from '../print/manifests.ts'
import { schemaOf } from '../print/schemas.ts'
import { yamlOf } from '../print/yaml.ts'
import { callersOf } from '../process/callers.ts'
import { caIn } from '../process/files.ts'
import { remotesOf } from '../process/remotes.ts'
import type { Chosen, Command } from './command.ts'
import { listed } from './known.ts'

/** What webhook and worker have to be told alike: rights and definitions are printed for it, and both know the mapping. */
const SHARED: readonly Listed[] = ['families', 'profile', OF_FAMILIES]

export const manifests: Command = {
  settings: [
    'set',
    ...SHARED,
    'namespace',
    'namespaces',
    'image',
    'webhookUrl',
    'ca',
    'kubeVersion',
    'aggregateRoles',
    'clientCa',
    'clientNames',
    'secretPath',
    'monitoringLabel',
  ],
  says: { ca: 'certificate to trust, printed as caBundle; else the running webhook writes its own' },
  async run(config, { out }, chosen) {
    const ca = config.ca === undefined ? undefined : await caIn(config.ca)
    const callers = await callersOf(config)
    if (callers !== undefined) requirePrintable(callers)
    const { set, settings } = config
    if (set === 'schemas') {
      out(`${JSON.stringify(schemaOf(kindsOf(chosen.families, settings)), undefined, 2)}\n`)
      return 0
    }
    const wanted = { ...printable(chosen, config), set, ca, clientCa: callers?.ca }
    out(yamlOf(manifestsOf(chosen.families, wanted)))
    return 0
  },
}

/** What is printed, without what stands in files. */
export function printable(chosen: Chosen, config: Config) {
  const controllers = controllersOf(chosen.families, remotesOf(), config.settings)
  return { ...config, controllers, flags: sharedFlags(chosen, config), kubeMinor: minorOf(config) }
}

function sharedFlags({ known, explicit }: Chosen, config: Config): readonly string[] {
  const own = new Map<string, unknown>(Object.entries(config))
  const set = listed(SHARED, known).filter(({ name }) => explicit.has(name))
  return set.map(({ name, of }) => `--${flagOf(name)}=${of === undefined ? own.get(name) : config.settings.get(of)}`)
}

/** The pods get the names in one flag, in which a comma separates them. */
function requirePrintable({ names }: Callers): void {
  const name = names.find((each) => each.includes(','))
  if (name === undefined) return
  throw new UsageError(`"${name}" has a comma, and would be two names to the pods; name a DNS name of that certificate`)
}

function minorOf({ kubeVersion }: Config): number {
  return Number(kubeVersion.split('.')[1])
}
