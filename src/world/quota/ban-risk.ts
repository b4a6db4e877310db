import type { BanRule } from './settings.js'

/** The part of a quota that determines a ban. The quota of the control API has it. */
export interface BanRisk {
  readonly minute: { readonly rejected: number }
  readonly day: { readonly rejected: number }
  /** Null if the key is not banned. */
  readonly ban: object | null
  readonly banRule: BanRule
}

/**
 * Describes how many rejected requests of a window lead to a ban: `9 of 10 rejections; the next one
 * bans the key for 300 s`.
 *
 * @param rejected Number of requests that the window has rejected.
 */
export function describeRejections(rejected: number, { rejections, seconds }: BanRule): string {
  const left = rejections - rejected
  const next = left === 1 ? 'the next one bans' : `${left} more ban`
  return `${rejected} of ${rejections} rejections; ${next} the key for ${seconds} s`
}

/** Whether a line is a result of `describeRejections` that announces a ban. */
export function isLastRejection(line: string): boolean {
  return line.includes(' rejections; the next one bans the key for ')
}

/**
 * Describes the risk of a ban: `9 of 10 rejections; the next one bans the key for 300 s`. Returns
 * undefined if no request was rejected in a current window, or the key is banned.
 */
export function describeBanRisk({ minute, day, ban, banRule }: BanRisk): string | undefined {
  const rejected = Math.max(minute.rejected, day.rejected)
  return rejected === 0 || ban ? undefined : describeRejections(rejected, banRule)
}
