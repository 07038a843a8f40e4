import { readFile } from 'node:fs/promises'
import { kinds } from '../../webhooks/index.ts'
import type { Config } from '../config.ts'
import { Fault } from '../faults.ts'
import { manifestsOf } from '../print/manifests.ts'
import { yamlOf } from '../print/objects.ts'
import type { Command } from './command.ts'

export const manifests: Command = {
  doc: 'prints what to install, for kubectl apply -f -',
  settings: ['set', 'webhookUrl', 'ca', 'namespace', 'image', 'kubeVersion'],
  async run(config, { out }) {
    const ca = config.ca === undefined ? undefined : await contentOf(config.ca)
    out(yamlOf(manifestsOf(kinds, { ...config, ca, kubeMinor: minorOf(config) })))
    return 0
  },
}

export function minorOf({ kubeVersion }: Config): number {
  return Number(kubeVersion.split('.')[1])
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new Fault('FILE_UNREADABLE', `${file} cannot be read`, { cause })
  }
}
