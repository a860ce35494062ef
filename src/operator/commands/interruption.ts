import { onStopSignal } from '../../platform/stop-signals.ts';
import { CommandError } from './operator-command.ts';

/**
 * Runs long work that Ctrl-C or SIGTERM aborts through `signal`, so that the work can clean up. A second signal ends
 * the process immediately.
 */
export async function runUntilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const restore = onStopSignal(() => controller.abort());
  try {
    return await work(controller.signal);
  } catch (error) {
    // After an interruption, every error is a result of the interruption.
    if (controller.signal.aborted) throw new CommandError('interrupted. Nothing changed.');
    throw error;
  } finally {
    restore();
  }
}
