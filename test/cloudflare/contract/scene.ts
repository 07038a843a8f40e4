/** What both clients find at the double. */
export interface Scene {
  readonly account: string
  readonly zone: string
  readonly record: string
  readonly tunnel: string
  readonly network: string
  readonly route: string
  readonly rule: string
  readonly bucket: string
}
