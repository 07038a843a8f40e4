import { type Config, UsageError } from '../config.ts'
import type { Callers } from '../http/callers.ts'
import { manifestsOf } from '../print/manifests.ts'
import { yamlOf } from '../print/yaml.ts'
import { callersOf } from '../process/callers.ts'
import { caIn } from '../process/files.ts'
import type { Command } from './command.ts'

export const manifests: Command = {
  settings: [
    'set',
    'families',
    'namespace',
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
  async run(config, { out }, { families, explicit }) {
    const ca = config.ca === undefined ? undefined : await caIn(config.ca)
    const callers = await callersOf(config)
    if (callers !== undefined) requirePrintable(callers)
    const runs = explicit.has('families') ? config.families : []
    const wanted = { ...config, runs, ca, clientCa: callers?.ca, kubeMinor: minorOf(config) }
    out(yamlOf(manifestsOf(families, wanted)))
    return 0
  },
}

/** The pods get the names in one flag, in which a comma separates them. */
function requirePrintable({ names }: Callers): void {
  const name = names.find((each) => each.includes(','))
  if (name === undefined) return
  throw new UsageError(`"${name}" has a comma, and would be two names to the pods; name a DNS name of that certificate`)
}

export function minorOf({ kubeVersion }: Config): number {
  return Number(kubeVersion.split('.')[1])
}
