import { clusterToken, type ManagementInfo, markOf, shortMarkOf } from './ownership.ts'

export interface CommentOptions {
  readonly clusterId?: string
  /** In code points; without it the text may be of any length. */
  readonly limit?: number
}
export interface ManagedComment {
  readonly text: string
  /** The user comment is not there as it was written: an event says so. */
  readonly isTruncated: boolean
}

/** CF-OWN-02: the mark, the token of the cluster, the user comment. */
export function buildManagedComment(info: ManagementInfo, userComment: string, options: CommentOptions = {}): string {
  return managedComment(info, userComment, options).text
}

/**
 * CF-OWN-06. It depends on nothing but its parameters, so that what is written is found to be equal later. The token of
 * the cluster is never dropped.
 */
export function managedComment(
  info: ManagementInfo,
  userComment: string,
  options: CommentOptions = {},
): ManagedComment {
  const { clusterId = '', limit = Number.POSITIVE_INFINITY } = options
  const full = joined(markOf(info), clusterToken(clusterId))
  const head = full.length <= limit ? full : joined(shortMarkOf(info), clusterToken(clusterId))
  const comment = oneLine(userComment)
  const fitting = fittingIn(comment, limit - head.length - 1)
  return { text: joined(head, fitting), isTruncated: fitting !== comment }
}

const joined = (...parts: readonly string[]) => parts.filter(Boolean).join(' ')

/** Cloudflare refuses line breaks, and JSON half a character. */
export const oneLine = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()

const LEAST = 5
function fittingIn(comment: string, room: number): string {
  const characters = [...comment]
  if (characters.length <= room) return comment
  return room < LEAST ? '' : `${characters.slice(0, room - 1).join('')}…`
}
