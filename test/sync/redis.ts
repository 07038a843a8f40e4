import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import { freePort } from '../cluster/control-plane.ts'
import { type Component, startComponent } from './component.ts'

export interface Redis extends Component {
  readonly node: string
  readonly port: number
  readonly socket: string
  /** One command, in a protocol of the test's own; the answer as it came. */
  ask(...words: readonly string[]): Promise<string>
}

export interface RedisOptions {
  readonly events?: boolean
  readonly flags?: readonly string[]
  /** Sent before each command. */
  readonly auth?: readonly string[]
}

const HOST = '127.0.0.1'

export async function startRedis({ events = true, flags = [], auth = [] }: RedisOptions = {}): Promise<Redis> {
  const port = await freePort()
  const socketIn = (folder: string) => join(folder, 'redis.sock')
  const ask = (...words: readonly string[]) => asked(port, [...(auth.length > 0 ? [auth] : []), words])
  const component = await startComponent({
    name: 'redis',
    program: (folder) => ({
      command: inject('components').redis,
      args: [
        `--port ${port}`,
        `--bind ${HOST}`,
        `--dir ${folder}`,
        `--unixsocket ${socketIn(folder)}`,
        '--save 1 1', // kept over a restart that is asked for
        '--appendonly yes',
        '--appendfsync always',
        ...(events ? ['--notify-keyspace-events KA'] : []),
        ...flags,
      ].flatMap((each) => each.split(' ')),
    }),
    isReady: async () => /PONG|NOAUTH/.test(await ask('PING')),
  })
  return { ...component, node: `${HOST}:${port}`, port, socket: socketIn(component.folder), ask }
}

async function asked(port: number, commands: readonly (readonly string[])[]): Promise<string> {
  const socket = connect(port, HOST)
  socket.setTimeout(5_000, () => socket.destroy(new Error('redis did not answer')))
  for (const words of [...commands, ['QUIT']]) {
    socket.write(`*${words.length}\r\n`)
    for (const word of words) socket.write(`$${Buffer.byteLength(word)}\r\n${word}\r\n`)
  }
  const answer = await text(socket)
  if (/^-(?!NOAUTH)/m.test(answer)) throw new Error(`redis refused ${commands.at(-1)}: ${answer}`)
  return answer
}
