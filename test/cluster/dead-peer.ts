import { execFileSync } from 'node:child_process'
import { connect } from '../../src/cluster/kube/wire/connection.ts'
import { scriptedApiServer } from '../support/fakes/api-server.ts'

/**
 * To be run in a network namespace of its own, whose loopback it takes away under an open watch: packets vanish, and only
 * TCP keep-alive can tell. Prints after how many seconds it did.
 */
const loopback = (state: string) => execFileSync('ip', ['link', 'set', 'lo', state])
loopback('up')
const server = await scriptedApiServer()
const connection = await connect(server.kubeconfig())
const opened = connection.stream('/api/v1/configmaps')
const call = await server.next()
call.stream().raw('{}\n')
const stream = await opened
if (!('lines' in stream)) throw new Error(`no stream, but ${stream.status}`)
const lines = stream.lines[Symbol.asyncIterator]()
await lines.next()
loopback('down')
const beganAt = performance.now()
const end = await lines.next().then(
  () => 'a line',
  (cause) => String(cause),
)
process.stdout.write(`${JSON.stringify({ seconds: (performance.now() - beganAt) / 1_000, end })}\n`)
process.exit()
