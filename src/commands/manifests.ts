import { certificatesIn } from '../../certs/pem.ts'
import { kinds } from '../../webhooks/index.ts'
import type { Config } from '../config.ts'
import { Fault } from '../faults.ts'
import { manifestsOf } from '../print/manifests.ts'
import { yamlOf } from '../print/yaml.ts'
import type { Command } from './command.ts'
import { contentOf } from './files.ts'

export const manifests: Command = {
  settings: ['set', 'namespace', 'image', 'webhookUrl', 'ca', 'kubeVersion'],
  says: { ca: 'certificate to trust, printed as caBundle; else the running webhook writes its own' },
  async run(config, { out }) {
    const ca = config.ca === undefined ? undefined : await bundleIn(config.ca)
    out(yamlOf(manifestsOf(kinds, { ...config, ca, kubeMinor: minorOf(config) })))
    return 0
  },
}

export function minorOf({ kubeVersion }: Config): number {
  return Number(kubeVersion.split('.')[1])
}

/** The certificates alone: a key that stands in the same file must not travel into a manifest. */
async function bundleIn(file: string): Promise<string> {
  const certificates = certificatesIn(await contentOf(file))
  if (certificates.length === 0) throw new Fault('FILE_UNREADABLE', `${file} holds no certificate in PEM`)
  return `${certificates.join('\n')}\n`
}
