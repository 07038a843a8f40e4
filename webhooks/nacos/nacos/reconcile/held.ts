/** Why a configuration is not rolled out (NC-MRG-40 to NC-MRG-50). */
export const HELD_REASONS = [
  'SourceMissing',
  'KeyMissing',
  'KeyIsBinary',
  'EmptyConfig',
  'MalformedProperties',
  'ProtectedKey',
  'TooLarge',
  'SourceUnreadable',
  'FinalConfigConflict',
  'FinalConfigIsSource',
  'FinalConfigImmutable',
] as const
export type HeldReason = (typeof HELD_REASONS)[number]

export interface HeldConfig {
  readonly reason: HeldReason
  readonly message: string
}
export const heldAs = (reason: HeldReason, message: string): HeldConfig => ({ reason, message })
