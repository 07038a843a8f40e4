import { isTree, type Tree } from '../../schema.ts'

/** What stands in each answer beside the result (CF-API-01). */
export interface Envelope {
  readonly isSuccess: boolean
  readonly result: unknown
  readonly errors: readonly CloudflareError[]
  readonly page: PageInfo
}
export interface CloudflareError {
  readonly code: number
  readonly message: string
}
/** Of a list; zero where it is not said. */
export interface PageInfo {
  readonly totalCount: number
}

/** What is no such object is no answer of the API, but of something before it. */
export function envelopeIn(body: unknown): Envelope | undefined {
  if (!isTree(body) || typeof body.success !== 'boolean') return undefined
  const { success, result, errors, result_info } = body
  const totalCount = isTree(result_info) ? numberOf(result_info.total_count) : 0
  return { isSuccess: success, result, errors: treesIn(errors).flatMap(rootsOf), page: { totalCount } }
}

const MOST_ERRORS = 5
const treesIn = (list: unknown): readonly Tree[] =>
  Array.isArray(list) ? list.slice(0, MOST_ERRORS).filter((each) => isTree(each)) : []
const numberOf = (value: unknown) => (typeof value === 'number' ? value : 0)

/** Until October 2024 the cause stood in a chain below the error. */
function rootsOf({ code, message, error_chain }: Tree): readonly CloudflareError[] {
  const chain = treesIn(error_chain)
  if (chain.length > 0) return chain.flatMap((each) => rootsOf({ ...each, error_chain: [] }))
  return [{ code: numberOf(code), message: typeof message === 'string' ? oneLineOf(message) : '' }]
}

const MOST_CHARACTERS = 300
const oneLineOf = (text: string) =>
  text
    .slice(0, MOST_CHARACTERS)
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
