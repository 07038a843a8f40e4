import type { Notice } from '../../kit/controller.ts'
import { ownWordsIn } from './create.ts'
import type { DaemonPod } from './pods-of-nodes.ts'
import type { DaemonSetSeen } from './seen.ts'
import type { Work } from './work.ts'

export const SELECTING_ALL: Notice = {
  type: 'Warning',
  reason: 'SelectingAll',
  message:
    'spec.selector selects all pods, or cannot be read; write one that selects those of this DaemonSet (PATCH-CTL-10)',
}
export const SELECTING_OTHERS: Notice = {
  type: 'Warning',
  reason: 'SelectorMismatch',
  message:
    'the labels of spec.template do not match spec.selector, so nothing is done; give its pods the labels of the selector (PATCH-CTL-16)',
}
export const rivalNotice = (why: string): Notice => ({
  type: 'Warning',
  reason: 'KruiseManagerActive',
  message: `OpenKruise runs: ${why}; this DaemonSet is left to it (PATCH-CTL-2)`,
})
export const endedNotice = ({ name, phase }: DaemonPod): Notice => {
  const isFailed = phase === 'Failed'
  const reason = isFailed ? 'FailedDaemonPod' : 'SucceededDaemonPod'
  return { type: 'Warning', reason, message: `the pod ${name} ${isFailed ? 'failed' : 'ended'} and is replaced` }
}
export function inPlaceNotice({ daemonSet }: DaemonSetSeen): readonly Notice[] {
  if (daemonSet.spec?.updateStrategy?.rollingUpdate?.rollingUpdateType !== 'InPlaceIfPossible') return []
  const message = 'InPlaceIfPossible acts as Standard here: pods are recreated (PATCH-CTL-18)'
  return [{ type: 'Warning', reason: 'InPlaceNotSupported', message }]
}
export function wordsNotice({ reading }: Work): readonly Notice[] {
  const words = ownWordsIn(reading.template)
  if (words.length === 0) return []
  const message = `pods are made without ${words.join(', ')}, which the controller writes itself; take that out of spec.template (PATCH-CTL-13)`
  return [{ type: 'Warning', reason: 'TemplateOfPod', message }]
}
export const SHORT_LIVED: Notice = {
  type: 'Warning',
  reason: 'DaemonPodsShortLived',
  message:
    'new pods do not last, or are changed at once so that they are not known again: the next ones wait, up to 15 min; look for a webhook that changes them, and for taints of the node that they do not tolerate (PATCH-CTL-16)',
}
export const notMadeNotice = (node: string, why: string): Notice => ({
  type: 'Warning',
  reason: 'NodePatchFailed',
  message: `node ${node}: no pod is made: ${why}`,
})
