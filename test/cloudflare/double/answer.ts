import type { Tree } from '../../../src/schema.ts'

/** What the double answers to a call. `result_info` stands beside the result of a list. */
export interface DoubleAnswer {
  readonly result: unknown
  readonly info?: Tree
}

/** An answer that is no: a status, and a code of Cloudflare in the envelope. */
export class ApiError extends Error {
  readonly status: number
  readonly code: number

  constructor(status: number, code: number, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** What no public source tells is not invented: the test that meets it fails (CF-DBL-02). */
export const unverified = (what: string) => new ApiError(501, 0, `unverified: ${what}`)

export const envelope = ({ result, info }: DoubleAnswer) => ({
  success: true,
  errors: [],
  messages: [],
  result,
  ...(info && { result_info: info }),
})
export const refusal = (code: number, message: string) => ({
  success: false,
  errors: [{ code, message }],
  messages: [],
  result: null,
})

const PER_PAGE = 20
const MOST_PER_PAGE = 5_000
/** A page of a list, by `page` and `per_page` (§6, CF-API-02). */
export function pageOf(items: readonly object[], query: URLSearchParams): DoubleAnswer {
  const page = Number(query.get('page') ?? 1)
  const perPage = Number(query.get('per_page') ?? PER_PAGE)
  if (!(page >= 1) || !(perPage >= 1) || perPage > MOST_PER_PAGE) throw new ApiError(400, 1004, 'invalid page')
  const shown = items.slice((page - 1) * perPage, page * perPage)
  return {
    result: shown,
    info: {
      page,
      per_page: perPage,
      count: shown.length,
      total_count: items.length,
      total_pages: Math.ceil(items.length / perPage),
    },
  }
}
