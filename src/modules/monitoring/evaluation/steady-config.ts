import { hash } from 'node:crypto';
import packageJson from '../../../../package.json' with { type: 'json' };
import type { EvaluationRow } from './evaluation-queries.ts';

/** Of all that an evaluation compares: the releases stand in it by their revision, how they are compared by the program's version. */
export function fingerprintOf(row: EvaluationRow): string {
  const { steady_fingerprint: _is, steady_until_ms: _until, last_evaluated_at: _at, ...compared } = row;
  return hash('sha256', JSON.stringify([packageJson.version, compared]), 'base64url').slice(0, 22);
}

/**
 * Whether an evaluation would change nothing: the last one did not, it compared the very same, and neither has the time come
 * that changes the answer by itself, nor is it earlier than it was then.
 */
export function isSteady(row: EvaluationRow, fingerprint: string, now: Date): boolean {
  if (row.steady_fingerprint !== fingerprint || row.last_evaluated_at === null) return false;
  return row.last_evaluated_at <= now && now.getTime() < (row.steady_until_ms ?? 0);
}
