import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { settingsOf } from '../../../../../src/setting.ts'
import { configMapFor } from '../../../../../webhooks/nacos/nacos/objects/final.ts'
import { clientServiceFor, peerServiceFor } from '../../../../../webhooks/nacos/nacos/objects/services.ts'
import { statefulSetFor } from '../../../../../webhooks/nacos/nacos/objects/stateful-set.ts'
import { A_CONFIG, aNacos, aSubject } from '../../../../support/builders/nacos.ts'

const FOLDER = join(import.meta.dirname, '../../../../fixtures/nacos-children')
const documents = (file: string) => {
  const text = readFileSync(join(FOLDER, file), 'utf8').replaceAll('UID', 'u')
  return parseAllDocuments(text).map((each) => each.toJS())
}

it('NC-REC-06, NC-STS-40, NC-SVC-01, NC-SVC-02, NC-MRG-24 the children of the usage guide are those of its worked example', () => {
  const [, , given] = documents('usage.given.yaml')
  const [final, statefulSet, headless, client] = documents('usage.wanted.yaml')
  const nacos = aNacos(given.spec)
  const sources =
    'internal=nacos-internal-config/internal.properties#9cf43ef36fa29c02,user=nacos-user-config/user.properties#2fdb802691a3db24'
  const text: string = final.data['application.properties']
  expect(configMapFor(nacos, { ...A_CONFIG, text, sources })).toEqual(final)
  expect(Buffer.byteLength(text)).toBe(701)
  expect(statefulSetFor(aSubject(nacos))).toEqual(statefulSet)
  expect(peerServiceFor(nacos)).toEqual(headless)
  expect(clientServiceFor(nacos, settingsOf({}))).toEqual(client)
})
