/**
 * Access to PostgreSQL, either an external server or the embedded database.
 *
 * - A *connection target* is the address of the database: the value of `DATABASE_URL`, or the result of
 *   `startEmbeddedPostgres`.
 * - `Database` is the connection pool, `Tx` is one transaction. Functions take one of them as their first
 *   parameter.
 * - A *wake-up* notifies loops, in this and in other processes, that work may be available.
 */

export { canReceiveNotifications } from './can-receive-notifications.ts';
export {
  type ConnectionTarget,
  connectDatabase,
  type Database,
  DatabaseUnavailableError,
  describeConnection,
  type OnStatement,
  poolStatistics,
  waitForUsableDatabase,
} from './connect-database.ts';
export { runForOrganization } from './connection-shares.ts';
export { type CopySession, openCopySession, quoteName } from './copy-session.ts';
export { readDatabaseIdentity } from './database-identity.ts';
export { defineTable } from './define-table.ts';
export {
  type EmbeddedPostgres,
  findRunningEmbeddedPostgres,
  type PostgresAddress,
  startEmbeddedPostgres,
  stopAbandonedPostgres,
} from './embedded-postgres.ts';
export { EmbeddedPostgresError } from './embedded-postgres-error.ts';
export { explainDatabaseError } from './explain-database-error.ts';
export { isDatabaseUnavailable } from './is-database-unavailable.ts';
export { isStatementTimeout } from './is-statement-timeout.ts';
export { lookUpColumnSql } from './look-up.ts';
export {
  type AppliedMigration,
  compareMigrations,
  ensureMigrated,
  findRequiredVersion,
  listPendingMigrations,
  lockMigrations,
  MigrationError,
  migrateDatabase,
  migrateWithin,
} from './migrate.ts';
export {
  countSql,
  maxChoices,
  maxExactTotal,
  type Page,
  type PageRequest,
  readPage,
} from './page.ts';
export { InvalidCursorError, type PageCursor, pageOfItems, type SortValues } from './page-cursor.ts';
export { toApiTimestamp } from './postgres-types.ts';
export { precompileQuery } from './precompile-query.ts';
export { readInBatches } from './read-in-batches.ts';
export { renewStatistics } from './renew-statistics.ts';
export { seekOrScan } from './seek-or-scan.ts';
export { servingPid } from './serve-lock.ts';
export {
  containsWords,
  type ListOrder,
  listOrder,
  positionAfter,
  positionOrder,
  sortOrder,
} from './sort-order.ts';
export { findPooler, findUnsuitableSettings } from './suitable-database.ts';
export {
  type Change,
  changeTopic,
  dueTopic,
  readChange,
  rightsTopic,
  runsTopic,
  type Topic,
  topicNames,
} from './topics.ts';
export {
  afterCommit,
  beforeCommit,
  hasSqlState,
  type Tx,
  transaction,
  withCommitHook,
  withRetries,
} from './transaction.ts';
export { attachWakeUps, createWakeUps, listen, type WakeUps, wake, wakeNow } from './wake-ups.ts';
