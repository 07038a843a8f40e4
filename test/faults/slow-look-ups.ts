import { post } from '../bench/line.ts'
import { type Call, isWatch, scriptedApiServer } from '../support/fakes/api-server.ts'
import { overloaded } from './overload.ts'
import type { Pace, Row } from './row.ts'
import { completed } from './templates.ts'
import { webhookProcess } from './webhook-process.ts'

const SLOW_MS = 500
const AT_ONCE = 96 // as many look-ups of a pod may be under way

/** RL-2 where it is not the processor that is short: each review looks something up, at an API server that takes half a second. */
export async function slowLookUps({ quick }: Pace): Promise<readonly Row[]> {
  const apiServer = await scriptedApiServer()
  apiServer.always(answer)
  const args = ['--cluster=kube', `--kubeconfig=${apiServer.kubeconfig()}`, '--certs=files']
  const webhook = await webhookProcess({ args, withPair: true })
  // A parent that the cache does not know is looked for at the API server before the template is refused.
  const request = post('/validating', completed(4_096, 'nowhere'))
  const rows = await overloaded(webhook, {
    what: `look-ups of ${SLOW_MS} ms`,
    requests: [request],
    seconds: quick ? 4 : 15,
    saturating: AT_ONCE,
    looksUp: true,
  })
  await webhook.stop()
  await apiServer.stop()
  return rows
}

function answer(call: Call): void {
  const isOne = call.path.endsWith('/nowhere')
  if (isOne) setTimeout(() => call.status(404, 'NotFound'), SLOW_MS)
  else if (isWatch(call)) call.stream()
  else
    call.json(200, {
      kind: 'TTemplateList',
      apiVersion: 'k8s.tars.io/v1beta2',
      metadata: { resourceVersion: '1' },
      items: [],
    })
}
