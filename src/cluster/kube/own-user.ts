import { LIVE_READ_MS } from '../../admission/deadline.ts'
import { isTree } from '../../schema.ts'
import { collectionPath, qualified } from '../paths.ts'
import type { Gvr } from '../port.ts'
import type { Connection } from './wire/connection.ts'
import { textOf, unableTo, unread } from './wire/failed-call.ts'

const SELF_SUBJECT_REVIEW: Gvr = {
  group: 'authentication.k8s.io',
  version: 'v1',
  plural: 'selfsubjectreviews',
  kind: 'SelfSubjectReview',
  scope: 'Cluster',
}
const QUESTION = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }

/** The user that the API server takes us for. Every user may ask since Kubernetes 1.28 (ClusterRole system:basic-user). */
export async function ownUser(connection: Connection): Promise<string> {
  const what = `create ${qualified(SELF_SUBJECT_REVIEW)}`
  const path = collectionPath(SELF_SUBJECT_REVIEW, '')
  const answer = await connection
    .request('POST', path, { body: QUESTION, timeoutMs: LIVE_READ_MS })
    .catch(unableTo(what))
  const username = answer.status === 201 ? usernameIn(answer.body) : ''
  if (username === '') throw unread(what, answer)
  return username
}

function usernameIn(review: unknown): string {
  const status = isTree(review) ? review.status : undefined
  const userInfo = isTree(status) ? status.userInfo : undefined
  return isTree(userInfo) ? textOf(userInfo.username) : ''
}
