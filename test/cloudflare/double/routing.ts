import type { Tree } from '../../../src/schema.ts'
import { ApiError, type DoubleAnswer } from './answer.ts'
import type { DoubleAccount, DoubleCredential, DoubleState, DoubleZone } from './state.ts'

export interface DoubleCall {
  readonly state: DoubleState
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: Tree
  readonly credential: DoubleCredential
}
export interface DoubleRoutes {
  /** `GET /zones/{zone}/dns_records`. */
  readonly [call: string]: (call: DoubleCall) => DoubleAnswer
}

export interface Matched {
  readonly act: (call: DoubleCall) => DoubleAnswer
  readonly params: Readonly<Record<string, string>>
}

/** Undocumented paths are 404 with code 7003, and methods 405 (CF-DBL-03). */
export function matching(routes: DoubleRoutes, method: string, path: string): Matched {
  const ofPath = Object.entries(routes).flatMap(([call, act]) => {
    const [of = '', template = ''] = call.split(' ')
    const params = paramsIn(template, path)
    return params === undefined ? [] : [{ of, act, params }]
  })
  if (ofPath.length === 0)
    throw new ApiError(404, 7003, `Could not route to ${path}, perhaps your object identifier is invalid?`)
  const found = ofPath.find(({ of }) => of === method)
  if (found === undefined) throw new ApiError(405, 10405, 'Method not allowed for this authentication scheme')
  return found
}

function paramsIn(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const names = template.split('/')
  const words = path.split('/')
  if (names.length !== words.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, name] of names.entries()) {
    const word = words[at] ?? ''
    if (name.startsWith('{')) params[name.slice(1, -1)] = decodeURIComponent(word)
    else if (name !== word) return undefined
  }
  return params
}

/** Account and zone have to be those of the token (CF-DBL-03). */
export function accountOf({ state, params, credential }: DoubleCall): DoubleAccount {
  const account = state.accounts.get(params.account ?? '')
  if (account === undefined || !credential.accounts.includes(account.id)) throw notAllowed()
  return account
}
export function zoneOf({ state, params, credential }: DoubleCall): DoubleZone {
  const zone = state.zones.get(params.zone ?? '')
  if (zone === undefined || !credential.accounts.includes(zone.account)) throw notAllowed()
  return zone
}
const notAllowed = () => new ApiError(403, 9109, 'Unauthorized to access requested resource')

export const textOf = (value: unknown, usual = '') => (typeof value === 'string' ? value : usual)
export const isTrue = (value: unknown) => value === true
