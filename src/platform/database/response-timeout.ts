/** The database took a statement and says nothing more. */
export class SilentDatabaseError extends Error {
  constructor(afterMs: number) {
    super(`the database didn't respond within ${Math.round(afterMs / 1_000)} s`);
    this.name = 'SilentDatabaseError';
  }
}

/**
 * Closes the connection when a statement on it has no answer in time, and fails the statement. PostgreSQL itself ends
 * statements that take too long; but a machine or a network that is gone says nothing, and the system would wait a
 * quarter of an hour for it. `afterMs` 0: waits for ever.
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
    // With a statement under way this cuts the connection. A pool then takes another one.
    void client.end();
  }, afterMs);
  try {
    return await run();
  } catch (error) {
    throw isSilent ? new SilentDatabaseError(afterMs) : error;
  } finally {
    clearTimeout(timer);
  }
}
