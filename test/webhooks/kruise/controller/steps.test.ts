import { describe, expect, it } from 'vitest'
import { managed } from '../../../../webhooks/kruise/controller/manage.ts'
import type { DaemonPod, NodeOfPods } from '../../../../webhooks/kruise/controller/pods-of-nodes.ts'
import { eligibleNodes, type NodeProgress } from '../../../../webhooks/kruise/controller/selection.ts'
import { updateStep } from '../../../../webhooks/kruise/controller/update.ts'
import { shareOf } from '../../../../webhooks/kruise/share.ts'

const FIT = { shouldRun: true, shouldContinue: true }
const pod = (name: string, more: Partial<DaemonPod> = {}): DaemonPod => ({
  name,
  isNew: false,
  phase: 'Running',
  isReady: true,
  isAvailable: true,
  isTerminating: false,
  isPreparingDelete: false,
  isScheduled: true,
  createdAt: '2026-03-01T08:00:00Z',
  ...more,
})
const fresh = (name: string, more: Partial<DaemonPod> = {}) => pod(name, { isNew: true, ...more })
const DOWN = { isReady: false, isAvailable: false }
const node = (name: string, ...pods: readonly DaemonPod[]): NodeOfPods => ({ name, fitness: FIT, pods })
const names = (pods: readonly DaemonPod[]) => pods.map(({ name }) => name)

describe('PATCH-CTL-15 one pod a node', () => {
  const LATE = { createdAt: '2026-03-02T08:00:00Z' }
  it.each<[string, NodeOfPods, boolean, readonly string[], readonly string[], readonly string[]]>([
    ['none', node('n'), false, ['n'], [], []],
    ['one', node('n', pod('a')), false, [], [], []],
    [
      'none where none should run',
      { ...node('n'), fitness: { shouldRun: false, shouldContinue: true } },
      false,
      [],
      [],
      [],
    ],
    [
      'one where none may stay',
      { ...node('n', pod('a')), fitness: { shouldRun: false, shouldContinue: false } },
      false,
      [],
      ['a'],
      [],
    ],
    ['one that terminates', node('n', pod('a', { isTerminating: true })), false, [], [], []],
    ['one that failed', node('n', pod('a', { phase: 'Failed' })), false, [], [], ['a']],
    ['one that ended', node('n', pod('a', { phase: 'Succeeded' })), false, [], [], ['a']],
    ['one with a hook', node('n', pod('a', { isPreparingDelete: true })), false, [], ['a'], []],
    ['two: the oldest stays', node('n', pod('a', LATE), pod('b')), false, [], ['a'], []],
    ['two: the scheduled one stays', node('n', pod('a', { isScheduled: false }), pod('b', LATE)), false, [], ['a'], []],
    ['two of one age: the first name stays', node('n', pod('b'), pod('a')), false, [], ['b'], []],
    ['surge: none but a terminating one', node('n', pod('a', { isTerminating: true })), true, ['n'], [], []],
    ['surge: the new one is not available yet', node('n', pod('a'), fresh('b', DOWN)), true, [], [], []],
    ['surge: the new one is available', node('n', pod('a'), fresh('b')), true, [], ['a'], []],
    ['surge: neither is ready', node('n', pod('a', DOWN), fresh('b', DOWN)), true, [], ['a'], []],
    ['surge: two old ones', node('n', pod('a'), pod('c', LATE), fresh('b', DOWN)), true, [], ['c'], []],
  ])('%s', (_, on, surge, create, remove, failed) => {
    const step = managed([on], surge)
    expect([step.create, names(step.remove), names(step.failed)]).toEqual([create, remove, failed])
  })
})

describe('PATCH-CTL-17 a rolling update', () => {
  const three = [node('c', pod('pc')), node('b', pod('pb')), node('a', pod('pa'))]
  it.each<[string, readonly NodeOfPods[], number, readonly string[]]>([
    ['as many as the budget', three, 2, ['pc', 'pb']],
    ['at least one', three, 0, ['pc']],
    ['a new one that is not available counts', [node('d', fresh('pd', DOWN)), ...three], 2, ['pc']],
    ['a new one that is available does not', [node('d', fresh('pd')), ...three], 2, ['pc', 'pb']],
    ['a node without a pod counts', [node('d'), ...three], 1, []],
    ['a node with two pods of a sort counts', [node('d', pod('x'), pod('y')), ...three], 1, []],
    ['an old and a new pod count', [node('d', pod('x'), fresh('y')), ...three], 1, []],
    ['an old one that is down goes at once, and counts', [node('d', pod('pd', DOWN)), ...three], 1, ['pd']],
    [
      'a hook that runs is left alone, and counts',
      [node('d', pod('pd', { isPreparingDelete: true })), ...three],
      1,
      [],
    ],
  ])('by maxUnavailable: %s', (_, nodes, maxUnavailable, remove) => {
    const step = updateStep(nodes, { maxUnavailable, maxSurge: 0 })
    expect([names(step.remove), step.create]).toEqual([remove, []])
  })

  it.each<[string, readonly NodeOfPods[], number, readonly string[], readonly string[]]>([
    ['as many as the budget', three, 2, [], ['c', 'b']],
    ['one that surges counts', [node('d', pod('x'), fresh('y', DOWN)), ...three], 1, [], []],
    ['the old one goes when the new one is available', [node('d', pod('x'), fresh('y')), ...three], 1, ['x'], ['c']],
    ['an old one that is down gets its new one at once', [node('d', pod('x', DOWN)), ...three], 1, [], ['d', 'c']],
    [
      'a new one with a hook counts',
      [node('d', pod('x'), fresh('y', { isPreparingDelete: true })), ...three],
      1,
      [],
      [],
    ],
    ['an old one with a hook is left alone', [node('d', pod('x', { isPreparingDelete: true }))], 1, [], []],
    ['a node with two pods of a sort counts', [node('d', pod('x'), pod('z')), ...three], 1, [], []],
  ])('by maxSurge: %s', (_, nodes, maxSurge, remove, create) => {
    const step = updateStep(nodes, { maxUnavailable: 0, maxSurge })
    expect([names(step.remove), step.create]).toEqual([remove, create])
  })

  it.each<[string, readonly NodeProgress['progress'][], boolean | undefined, number, readonly string[]]>([
    ['all without a partition, the last name first', ['old', 'old', 'old'], undefined, 0, ['n2', 'n1', 'n0']],
    ['as many as the partition leaves', ['old', 'old', 'old'], undefined, 2, ['n2']],
    ['what has begun comes first', ['updated', 'updating', 'old'], undefined, 1, ['n0', 'n1']],
    ['none under a full partition', ['old', 'old'], undefined, 2, []],
    ['of the old ones only those selected', ['updated', 'old'], false, 0, ['n0']],
    ['the selected ones', ['updated', 'old'], true, 0, ['n0', 'n1']],
  ])('of the nodes that may go on: %s', (_, progress, isSelected, partition, expected) => {
    const standings = progress.map((each, at): NodeProgress => ({ node: `n${at}`, progress: each, isSelected }))
    expect([...eligibleNodes(standings, partition)]).toEqual(expected)
  })

  it.each<[number | string | undefined, 'up' | 'down', number]>([
    [3, 'up', 3],
    ['30%', 'up', 4],
    ['30%', 'down', 3],
    ['x', 'up', 0],
    [undefined, 'up', 0],
  ])('%s of 11, rounded %s, is %i', (share, round, expected) => {
    expect(shareOf(share, 11, round)).toBe(expected)
  })
})
