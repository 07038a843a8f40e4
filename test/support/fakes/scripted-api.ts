import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface HeardCall {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}
type Respond = (response: ServerResponse, heard: HeardCall) => void

/** An HTTP server on loopback that gives the answers of a script, one after the other, and then the last one again. */
export async function scriptedApi(...script: readonly Respond[]) {
  const heard: HeardCall[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const body = (await Array.fromAsync(request)).join('')
    const call = { method, path, headers, body }
    heard.push(call)
    script[Math.min(heard.length, script.length) - 1]?.(response, call)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/client/v4`,
    heard,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const answering =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Respond =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
export const result = (value: unknown, info?: object) =>
  answering(200, { success: true, errors: [], messages: [], result: value, ...(info && { result_info: info }) })
export const refusing = (status: number, code: number, message: string) =>
  answering(status, { success: false, errors: [{ code, message }], messages: [], result: null })
