import { onStopSignal } from '../../platform/stop-signals.ts';
import { CommandError } from './operator-command.ts';

/**
 * Long work that Ctrl-C or SIGTERM ends through `signal`, so that what it has begun is cleared away. A second one ends
 * the program at once.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const restore = onStopSignal(() => controller.abort());
  try {
    return await work(controller.signal);
  } catch (error) {
    // Whatever failed, failed because of it.
    if (controller.signal.aborted) throw new CommandError('interrupted. Nothing changed.');
    throw error;
  } finally {
    restore();
  }
}
