import { troublesOf } from '../../certs/status.ts'
import { type Config, UsageError } from '../config.ts'
import { type CertificatesFound, certificatesFound, type ReadObject } from '../diagnosis/certs-found.ts'
import { asJson, asText } from '../diagnosis/certs-report.ts'
import { kindsOf } from '../family.ts'
import { registeredConfigurations } from '../process/configurations.ts'
import { systemClock } from '../timing/clock.ts'
import { type Command, type ExitCode, NO_PAGE } from './command.ts'

export const certsStatus: Command = {
  settings: ['kubeconfig', 'namespace', 'certs', 'certDir', 'webhookUrl', 'server', 'output', 'families'],
  says: {
    certs: 'where the webhook has its pair from; what the Secret holds says more',
    certDir: 'with --certs files: where tls.crt, tls.key and ca.crt are',
    server: 'ask this webhook which certificate it really serves',
  },
  async run(config, { out }, { families }) {
    if (config.output === 'html') throw new UsageError(NO_PAGE)
    if (config.output === 'yaml') throw new UsageError('-o yaml is the form of review --plan')
    const now = systemClock.now()
    const stop = new AbortController()
    const configurations = registeredConfigurations(kindsOf(families, config.settings))
    const looking = certificatesFound(config, configurations, () => lookIn(config, stop.signal))
    const seen = await looking.finally(() => stop.abort())
    const found = { ...seen, troubles: [...seen.troubles, ...troublesOf(seen, now)] }
    out(config.output === 'json' ? asJson(found, now) : asText(found, now))
    return codeOf(found)
  },
}

async function lookIn({ kubeconfig }: Config, ended: AbortSignal): Promise<ReadObject> {
  const [{ connect }, { lookAt }] = await Promise.all([
    import('../cluster/kube/wire/connection.ts'),
    import('../cluster/kube/inquiry.ts'),
  ])
  const connection = await connect(kubeconfig)
  ended.addEventListener('abort', () => connection.stop())
  return (of, ref) => lookAt(connection, of, ref)
}

function codeOf({ troubles, unsaid }: CertificatesFound): ExitCode {
  if (troubles.length > 0) return 1
  return unsaid.length > 0 ? 3 : 0
}
