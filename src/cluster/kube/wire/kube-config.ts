import type { KubeConfig } from '@kubernetes/client-node'
import { Fault } from '../../../faults.ts'
import { wordFor } from './error-word.ts'

/**
 * The library is heavy and most commands never need it, so it is loaded here and not sooner; of its root only this
 * file is needed.
 */
export async function loadKubeConfig(file: string | undefined): Promise<KubeConfig> {
  const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js')
  const config = new KubeConfig()
  try {
    if (file === undefined) config.loadFromDefault()
    else config.loadFromFile(file)
  } catch (cause) {
    // Without its cause: a YAML error quotes the line, and the line may hold a token.
    const what = file === undefined ? 'the default kubeconfig cannot be read' : `${file} cannot be read as a kubeconfig`
    throw new Fault('FILE_UNREADABLE', `${what} (${wordFor(cause)})`)
  }
  if (isNowhere(config)) throw new Fault('USAGE', NOWHERE)
  return config
}

const NOWHERE = 'no cluster to talk to: no kubeconfig was named, there is no default one, and this is not a pod'

/** What the library falls back to, and then refuses to talk to. */
function isNowhere(config: KubeConfig): boolean {
  const { server, skipTLSVerify } = config.getCurrentCluster() ?? {}
  return server === 'http://localhost:8080' && !skipTLSVerify
}
