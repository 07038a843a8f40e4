import { parseArgs } from 'node:util'
import { Double } from './double/server.ts'

// node test/cloudflare/double.ts --port 0: prints its address and runs until it is ended.
const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })
const double = await new Double().listen(Number(values.port))
console.log(double.origin)
