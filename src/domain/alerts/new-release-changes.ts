import type { Verdict } from '../rules/judge.ts';
import type { ConfigEvaluation } from './config-evaluation.ts';

/**
 * Returns the commits or digests to which the deployed release changed since the last evaluation, oldest
 * first.
 */
export function findNewReleaseChanges(
  { evidence: { moves } }: Pick<Verdict, 'evidence'>,
  { behindBy, isReconfigured }: Pick<ConfigEvaluation, 'behindBy' | 'isReconfigured'>,
): string[] {
  if (moves === null || behindBy === null || isReconfigured) return [];
  return moves.slice(behindBy).map(({ to }) => to);
}
