import { hasSqlState } from './transaction.ts';

/**
 * Whether PostgreSQL ended a statement because it, or the lock it waited for, took too long. Unlike
 * `isDatabaseUnavailable`, this says nothing about other statements.
 */
export function isStatementTimeout(error: unknown): boolean {
  return hasSqlState(error, '57014', '55P03');
}
