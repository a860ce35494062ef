import { hash } from 'node:crypto';
import packageJson from '../../../../package.json' with { type: 'json' };
import { parserVersion } from '../../../domain/versions/versions.ts';
import type { EvaluationRow } from './evaluation-queries.ts';

/**
 * Returns a fingerprint of all inputs of an evaluation. It includes the revision of the releases, the version of the
 * program, and the version of its parser.
 */
export function fingerprintOf(row: EvaluationRow): string {
  const { steady_fingerprint: _is, steady_until_ms: _until, last_evaluated_at: _at, ...rest } = row;
  const { version_reading: _by, evaluated_platform_words: _words, ...compared } = rest;
  const how = [packageJson.version, parserVersion];
  return hash('sha256', JSON.stringify([how, compared]), 'base64url').slice(0, 22);
}

/**
 * True if an evaluation would change nothing: the last evaluation changed nothing, the data is still the
 * same, not enough time has passed to change the result, and the clock hasn't been set back.
 */
export function isSteady(row: EvaluationRow, fingerprint: string, now: Date): boolean {
  if (row.steady_fingerprint !== fingerprint || row.last_evaluated_at === null) return false;
  return row.last_evaluated_at <= now && now.getTime() < (row.steady_until_ms ?? 0);
}
