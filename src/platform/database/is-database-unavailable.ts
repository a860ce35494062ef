import { DatabaseUnavailableError } from './connect-database.ts';
import { SilentDatabaseError } from './response-timeout.ts';

// 53: it has no more disk, memory or connections; 58: its disk fails; 25006: another server leads now, this one only reads.
const awayCodes =
  /^(08|57P0|53|58|25006|ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;
// What the driver says without a code.
const awayMessages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|server closed the connection|connection is closed|driver has already been destroyed/i;

/** Whether an error of a statement means that the database cannot serve now, and not that the statement is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DatabaseUnavailableError || error instanceof SilentDatabaseError) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  // PostgreSQL ends the whole session, or lets nobody begin one: no statement is to blame.
  if ('severity' in error && (error.severity === 'FATAL' || error.severity === 'PANIC')) return true;
  const isOfDriver = 'severity' in error || 'syscall' in error;
  if (isOfDriver && 'code' in error && awayCodes.test(String(error.code))) return true;
  return awayMessages.test(error.message);
}
