import { hasSqlState } from './transaction.ts';

/**
 * True if PostgreSQL canceled a statement because it ran or waited for a lock for too long. In contrast to
 * `isDatabaseUnavailable`, other statements can still succeed.
 */
export function isStatementTimeout(error: unknown): boolean {
  return hasSqlState(error, '57014', '55P03');
}
