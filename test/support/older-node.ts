const preload = (script: string) => `--import=data:text/javascript,${encodeURIComponent(script)}`

/** The process takes itself for one of Node 20; what it starts does not. */
export const OLDER = preload(`
  delete process.env.NODE_OPTIONS
  process.execPath = '/opt/node-20/bin/node'
  Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })
`)

/** All of its streams are a terminal to it. */
export const TERMINAL = preload(`
  import tty from 'node:tty'
  import { syncBuiltinESMExports } from 'node:module'
  tty.isatty = () => true
  syncBuiltinESMExports()
`)
