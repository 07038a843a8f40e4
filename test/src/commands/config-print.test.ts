import { expect, it } from 'vitest'
import { fileOf } from '../../support/folders.ts'
import { ran } from '../../support/world.ts'

const print = (...args: string[]) => ran(['config', 'print', ...args], { TARS_ADMISSION_USER: 'ann' })

it('prints what counts, wherever it was told', async () => {
  const { code, out } = await print('--config', fileOf('port: 10\n'), '--seed=a,b')
  expect(code).toBe(0)
  expect(out).toMatch(/^port: 10$/m)
  expect(out).toMatch(/^user: ann$/m)
  expect(out).toMatch(/^seed:\n {2}- a\n {2}- b$/m)
})

it('prints what --config reads: the same again', async () => {
  const words = ['--user=on', '--image=a:1.0', '--old= x ', "--ca='#: {}", '--group=true,1.0,~', '--kube-version=1.30']
  const { out } = await print(...words, '--manage-configurations')
  expect((await print('--config', fileOf(out), '--user=on')).out).toBe(out)
})

it('does not show what is secret', async () => {
  const { out } = await print('--secret-path=hunter2-hunter2-x')
  expect(out).toMatch(/^secret-path: \(not shown\)$/m)
})
