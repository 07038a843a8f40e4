import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { folderOf } from '../folders.ts'
import type { SyncProcess } from './process.ts'

/** conf.d and templates in one folder, as a confdir has them. */
export function laid(more = '', template = 'v={{getv "/k"}}\n') {
  const out = folderOf({ '.keep': '' })
  const resource = `[template]\nsrc = "a"\ndest = "${out}/a.conf"\nkeys = ["/k"]\n${more.replaceAll('OUT', out)}\n`
  const folder = folderOf({ 'conf.d/a.toml': resource, 'templates/a': template, 'values.yaml': 'k: one' })
  const path = (name: string) => join(folder, name)
  return {
    out,
    path,
    args: ['-confdir', folder, '-backend', 'file', '-file', path('values.yaml')],
    content: () => readFileSync(join(out, 'a.conf'), 'utf8'),
    names: () => readdirSync(out).filter((name) => name !== '.keep'),
  }
}

/** Where something listens; what it does with each connection. */
export async function listening(connected: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined) // the other side may end first
    connected(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it listens on no port')
  return `127.0.0.1:${address.port}`
}

/** Nothing that a store would answer. */
export const nonsense = () => listening((socket) => socket.end('nonsense \0\xff\r\n'))

export const WAIT = { timeout: 20_000, interval: 20 }
export const until = (holds: () => boolean) => vi.waitFor(() => expect(holds()).toBe(true), WAIT)
export const isReady = (running: SyncProcess) => until(() => running.out().includes('\n'))
