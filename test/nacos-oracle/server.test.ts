import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mergedText } from '../../webhooks/nacos/config/merge.ts'
import { normalised } from '../../webhooks/nacos/config/normalise.ts'
import { freePort } from '../cluster/control-plane.ts'
import { until } from '../cluster/until.ts'
import { at, treesOf } from '../support/builders/trees.ts'
import { compiled } from './java.ts'

/** With the keys that this old server does not start without. */
const INTERNAL = ['dumpTaskInterval=3600', 'eventTaskInterval=10', 'labelTaskInterval=300', 'loadDataAtStart=false']
const OPENED = ['lang', 'lang.reflect', 'util', 'net', 'io', 'text', 'time'].map((each) => `java.${each}`)
const HOME = mkdtempSync(join(tmpdir(), 'nacos-server-'))
const FILE = join(HOME, 'conf/application.properties')
const JARS = process.env.NACOS_JARS ?? ''
const PATIENT = { seconds: 240 }

describe('NC-TST-33 a server of Nacos 0.8.0 reads the merged file', () => {
  const stopping = new AsyncDisposableStack()
  let [internalPort, port, text] = [0, 0, '']

  beforeAll(async () => {
    internalPort = await freePort()
    port = await freePort()
    text = mergedText(
      normalised(
        [
          `server.port=${internalPort}`,
          'server.servlet.contextPath=/nacos',
          ...INTERNAL.map((each) => `nacos.cmdb.${each}`),
        ].join('\n'),
      ),
      normalised(
        [`server.port=${port}`, 'management.endpoints.web.exposure.include=health,env', 'test.text=中文'].join('\r\n'),
      ),
    )
    mkdirSync(dirname(FILE))
    writeFileSync(FILE, text)
    schemaInto(dirname(FILE))
    stopping.adopt(server(), async (child) => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    })
    await until('it answers', async () => (await told('server.port')).value !== undefined, PATIENT)
  })
  afterAll(() => stopping.disposeAsync())

  async function told(key: string) {
    const answer: unknown = await (await fetch(`http://127.0.0.1:${port}/nacos/actuator/env/${key}`)).json()
    const ofFile = treesOf(at(answer, 'propertySources')).find(({ name }) => String(name).includes(FILE))
    const [, line, column] = /:(\d+):(\d+)$/.exec(String(at(ofFile, 'property.origin'))) ?? []
    return { value: at(ofFile, 'property.value'), line: Number(line), column: Number(column) }
  }
  /** Where its value begins, the last time that the file has the key. */
  function placeOf(key: string) {
    const line = text.split('\n').findLastIndex((each) => each.startsWith(`${key}=`))
    return { line: line + 1, column: key.length + 2 }
  }

  it.each([
    { name: 'the context path is the internal one', key: 'server.servlet.contextPath', value: '/nacos' },
    { name: 'text outside of ASCII is what the user wrote', key: 'test.text', value: '中文' },
  ])('$name, and stands where we have put it', async ({ key, value }) => {
    expect(await told(key)).toEqual({ value, ...placeOf(key) })
  })

  it('the port is that of the user, not the internal one', async () => {
    expect(await told('server.port')).toEqual({ value: String(port), ...placeOf('server.port') })
    const socket = connect(internalPort, '127.0.0.1')
    await expect(once(socket, 'connect')).rejects.toThrow('ECONNREFUSED')
  })
})

function schemaInto(folder: string): void {
  const [jar = ''] = globSync(join(dirname(JARS), 'nacos-config-*.jar'))
  execFileSync('jar', ['xf', jar, 'META-INF/schema.sql'], { cwd: HOME })
  copyFileSync(join(HOME, 'META-INF/schema.sql'), join(folder, 'schema.sql'))
}

function server() {
  const { classPath } = compiled(['NacosServer'], JARS)
  const opens = [...OPENED, 'sun.nio.ch'].flatMap((each) => ['--add-opens', `java.base/${each}=ALL-UNNAMED`])
  const own = [`-Dnacos.home=${HOME}`, `-Duser.home=${HOME}`, '-Dnacos.standalone=true', '-Dserver.address=127.0.0.1']
  const args = ['-Xmx300m', ...opens, ...own, '-cp', classPath, 'NacosServer', `--spring.config.location=file:${FILE}`]
  return spawn('java', args, { cwd: HOME, stdio: 'ignore' })
}
