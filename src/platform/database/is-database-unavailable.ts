import { DatabaseUnavailableError } from './connect-database.ts';
import { DatabaseResponseTimeoutError } from './response-timeout.ts';

// Codes of errors that mean that the database is unavailable. Class 53 means insufficient disk space, memory,
// or connections, and class 58 means a disk failure. 25006 means that this server is read-only because
// another server is now the primary.
const unavailableCodes =
  /^(08|57P0|53|58|25006|ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;
// Messages of driver errors that have no code.
const unavailableMessages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|server closed the connection|connection is closed|driver has already been destroyed/i;

/**
 * True if a statement failed because the database is unavailable, and not because the statement is invalid.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseUnavailableError || error instanceof DatabaseResponseTimeoutError) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  // PostgreSQL ended the entire session or rejected a new one, so the statement isn't the cause.
  if ('severity' in error && (error.severity === 'FATAL' || error.severity === 'PANIC')) return true;
  const isOfDriver = 'severity' in error || 'syscall' in error;
  if (isOfDriver && 'code' in error && unavailableCodes.test(String(error.code))) return true;
  return unavailableMessages.test(error.message);
}
