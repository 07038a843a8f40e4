import { readFileSync } from 'node:fs'
import { pace } from './driver.ts'

/** Sends large reviews whenever its parent says so, and says when all are answered. */
const [port = '', folder = '', ...files] = process.argv.slice(2)
const requests = files.map((file) => readFileSync(file))
const load = { port: Number(port), ca: readFileSync(`${folder}/ca.crt`, 'utf8'), requests, connections: 2 }
process.on('message', async (rate: { perSecond: number; seconds: number }) => {
  await pace(load, rate)
  process.send?.('done')
})
process.once('disconnect', () => process.exit())
process.send?.('ready')
