import { hasSqlState } from './transaction.ts';

/**
 * True if PostgreSQL canceled a statement because the statement or its wait for a lock took too long. Unlike
 * with `isDatabaseUnavailable`, other statements can still succeed.
 */
export function isStatementTimeout(error: unknown): boolean {
  return hasSqlState(error, '57014', '55P03');
}
