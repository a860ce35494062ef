/** The database accepted a statement but didn't respond in time. */
export class DatabaseResponseTimeoutError extends Error {
  constructor(afterMs: number) {
    super(`the database didn't respond within ${Math.round(afterMs / 1_000)} s`);
    this.name = 'SilentDatabaseError';
  }
}

/**
 * Closes the connection and fails the statement if the database doesn't respond in time. PostgreSQL ends slow
 * statements itself, but an unreachable host sends nothing, and the operating system would wait 15 minutes
 * for it. If `afterMs` is 0, there's no timeout.
 */
export async function withResponseTimeout<T>(
  client: { end(): Promise<void> },
  afterMs: number,
  run: () => Promise<T>,
): Promise<T> {
  if (afterMs === 0) return run();
  let isSilent = false;
  const timer = setTimeout(() => {
    isSilent = true;
    // While a statement is running, `end()` closes the socket. A pool then opens another connection.
    void client.end();
  }, afterMs);
  try {
    return await run();
  } catch (error) {
    throw isSilent ? new DatabaseResponseTimeoutError(afterMs) : error;
  } finally {
    clearTimeout(timer);
  }
}
