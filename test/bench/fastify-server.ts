import { readFileSync } from 'node:fs'
import { fastify } from 'fastify'
import { answerToParent } from './child.ts'

/** The least that any server on Fastify takes. */
const [folder = ''] = process.argv.slice(2)
const pair = { cert: readFileSync(`${folder}/tls.crt`), key: readFileSync(`${folder}/tls.key`) }
const app = fastify({ https: pair })
app.post('/', async () => 'ok')
const address = await app.listen({ host: '127.0.0.1', port: 0 })
answerToParent(Number(new URL(address).port))
