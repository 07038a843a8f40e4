import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { documents } from '../../support/planned.ts'
import { ran } from '../../support/world.ts'

const FOLDER = 'test/fixtures/nacos-children'

it('a Nacos whose sources are among the files has a plan with its final ConfigMap, StatefulSet and Services', async () => {
  const uid = '00000000-0000-0000-0000-000000000000'
  const text = readFileSync(`${FOLDER}/usage.wanted.yaml`, 'utf8').replaceAll('UID', uid)
  const wanted = parseAllDocuments(text).map((each) => each.toJS())
  const { code, out, err } = await ran(['review', '--plan', '-o', 'yaml', '-f', `${FOLDER}/usage.given.yaml`])
  expect([code, err]).toEqual([0, ''])
  expect(documents(out)).toEqual(expect.arrayContaining(wanted))
}, 30_000)
