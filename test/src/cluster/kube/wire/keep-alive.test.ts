import { Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../../../../../src/cluster/kube/wire/connection.ts'
import { scriptedApiServer } from '../../../../support/fakes/api-server.ts'
import { tunnelingProxy } from '../../../../support/fakes/proxy.ts'

it('TCP is asked every 15 s whether the peer lives, also by the agent that a proxy is reached with (CL-2)', async () => {
  const [server, proxy] = [await scriptedApiServer(), await tunnelingProxy()]
  const connection = await connect(server.kubeconfig({ token: 'x' }, { 'proxy-url': proxy.url }))
  onTestFinished(async () => {
    connection.stop()
    await Promise.all([server.stop(), proxy.stop()])
  })
  const keepAlive = vi.spyOn(Socket.prototype, 'setKeepAlive')
  onTestFinished(() => keepAlive.mockRestore())
  const opened = connection.stream('/api/v1/configmaps')
  const watch = (await server.next()).stream()
  expect(keepAlive).toHaveBeenCalledWith(true, 15_000)
  watch.end()
  await opened
})
