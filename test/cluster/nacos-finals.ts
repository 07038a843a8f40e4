import { describe, expect, it } from 'vitest'
import { at, type NacosStage, nacosOf, plainSources, sourceOf } from './nacos-workplace.ts'
import { until } from './until.ts'

const WRITTEN = 'application.properties'
const held = (name: string, finalConfigName: string) => [...plainSources(name), nacosOf(name, { finalConfigName })]

/** What becomes of generated ConfigMaps that somebody else writes, owns, or wants too. */
export function finals(stage: NacosStage): void {
  const { suite, place } = stage
  const { apply, create, events, merge, read, remove, running, seen } = place
  const uidOf = async (name: string) => at(await read('configmaps', name), 'metadata', 'uid')
  /** What is written meanwhile, nobody guards (NC-ADM-44): nothing waits for the webhook. */
  async function unguarded(act: () => Promise<void>): Promise<void> {
    await suite.product.webhook.stop()
    await act()
    await suite.product.webhook.start()
  }
  const isHeld = (name: string, reason: string) =>
    until(`${name} is held: ${reason}`, async () => (await seen(name)).reasons.ConfigReady === reason)

  it('NC-TST-18, NC-DIG-34, NC-DIG-35 one that is edited or deleted is mended, and nothing restarts', async () => {
    const final = 'drift-final-config'
    const before = await seen('drift')
    await expect(merge('configmaps', final, { data: { [WRITTEN]: 'x=1' } })).rejects.toThrow('(NC-ADM-44)')
    await unguarded(() => merge('configmaps', final, { data: { [WRITTEN]: 'x=1' } }))
    await until('it is restored', async () => (await seen('drift')).text === before.text)
    const told = (await events()).find(({ reason }) => reason === 'FinalConfigDrift')
    expect(told?.message).toBe(
      'ConfigMap drift-final-config was edited and is restored; a pod that started meanwhile has the edited text: kubectl rollout restart statefulset drift',
    )
    const uid = await uidOf(final)
    await expect(remove('configmaps', final)).rejects.toThrow('(NC-ADM-45)')
    await unguarded(() => remove('configmaps', final))
    await until('it is made again', async () => ![uid, undefined].includes(await uidOf(final)))
    expect(await seen('drift')).toMatchObject({
      generation: before.generation,
      digest: before.digest,
      text: before.text,
    })
  }, 120_000)

  it('NC-TST-18, NC-DIG-36 one that is made immutable is neither written nor made again, and another name helps', async () => {
    const final = 'fixed-final-config'
    const { generation, digest, text } = await seen('fixed')
    const uid = await uidOf(final)
    await unguarded(() => merge('configmaps', final, { immutable: true }))
    await merge('configmaps', 'fixed-user', { data: { 'user.properties': 'a=2\n' } })
    await isHeld('fixed', 'FinalConfigImmutable')
    const found = await seen('fixed')
    expect(found).toMatchObject({ generation, digest, text })
    expect(found.messages.ConfigReady).toBe('ConfigMap "fixed-final-config" is immutable: set another finalConfigName')
    expect(await uidOf(final)).toBe(uid)
    await merge('nacos', 'fixed', { spec: { finalConfigName: 'fixed-other' } })
    await until('the other one is mounted', async () => (await seen('fixed')).generation === Number(generation) + 1)
    await until('the first one is gone', async () => (await uidOf(final)) === undefined)
    expect(at(await read('configmaps', 'fixed-other'), 'data', WRITTEN)).toContain('a=2\n')
  }, 120_000)

  it('NC-TST-18, NC-DIG-40 one that another object controls stays as it is, and no pods are made', async () => {
    const uid = at(await read('nacos', 'drift'), 'metadata', 'uid')
    const ownerReferences = [{ apiVersion: 'nacos.io/v1alpha1', kind: 'Nacos', name: 'drift', uid, controller: true }]
    await create('configmaps', { metadata: { name: 'theirs', ownerReferences }, data: { [WRITTEN]: 'x=1' } })
    await apply(...held('taker', 'theirs'))
    await isHeld('taker', 'FinalConfigConflict')
    const { generation, messages } = await seen('taker')
    expect(generation).toBeUndefined()
    expect(messages.ConfigReady).toBe('ConfigMap "theirs" belongs to another object: set another finalConfigName')
    expect(at(await read('configmaps', 'theirs'), 'data')).toEqual({ [WRITTEN]: 'x=1' })
  }, 120_000)

  it('NC-TST-18, NC-DIG-40 one that nobody controls is taken on request alone, and its other keys stay', async () => {
    await create('configmaps', { metadata: { name: 'loose' }, data: { other: 'kept' } })
    await apply(...held('adopter', 'loose'))
    await isHeld('adopter', 'FinalConfigConflict')
    expect((await seen('adopter')).messages.ConfigReady).toBe(
      'ConfigMap "loose" was not made for this Nacos: set another finalConfigName, or the annotation nacos.io/adopt-final-config: "true"',
    )
    expect(at(await read('configmaps', 'loose'), 'data')).toEqual({ other: 'kept' })
    await merge('nacos', 'adopter', { metadata: { annotations: { 'nacos.io/adopt-final-config': 'true' } } })
    await running('adopter')
    const text = '# ===== Internal Configuration =====\nserver.port=8848\n\n\n# ===== User Configuration =====\na=1\n\n'
    expect(at(await read('configmaps', 'loose'), 'data')).toEqual({ other: 'kept', [WRITTEN]: text })
  }, 120_000)

  describe('without the webhook', () => {
    it('NC-TST-19, NC-DIG-42 one that two want at once is that of one, and the other is held; NC-REC-12 a wrong spec has no children', async () => {
      await suite.product.withoutWebhook(async () => {
        await apply(sourceOf('user', 'wrong', 'a=1\n'), nacosOf('wrong', { replicas: 0, internalConfigRef: undefined }))
        await apply(...plainSources('rival-1'), ...plainSources('rival-2'))
        const rivals = ['rival-1', 'rival-2']
        await Promise.all(rivals.map((name) => create('nacos', nacosOf(name, { finalConfigName: 'wanted' }))))
        const reasons = async () =>
          (await Promise.all(rivals.map(seen))).map(({ reasons: { ConfigReady } }) => ConfigReady)
        await until(
          'one of them has it',
          async () => (await reasons()).toSorted().join() === 'FinalConfigConflict,Merged',
        )
        await until('the wrong one has failed', async () => (await seen('wrong')).phase === 'Failed')
      })
      const [owner = {}] = [at(await read('configmaps', 'wanted'), 'metadata', 'ownerReferences')].flat()
      const [winner, other] = at(owner, 'name') === 'rival-1' ? ['rival-1', 'rival-2'] : ['rival-2', 'rival-1']
      await running(winner)
      expect((await seen(other)).generation).toBeUndefined()
      const wrong = await seen('wrong')
      expect(wrong.messages.SpecValid).toBe(
        'spec.replicas: must be at least 1; write 1, or 3 and type cluster (NC-ADM-12)',
      )
      expect([wrong.generation, await read('services', 'wrong-client')]).toEqual([undefined, {}])
    }, 120_000)
  })
}
