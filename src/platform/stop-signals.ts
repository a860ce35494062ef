/** Signals that stop a program. They come from a service manager, Ctrl-C, or a closed terminal. */
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Signals within this time are considered one request, because a process can receive a Ctrl-C twice: from the terminal,
 * which signals every process, and from npm, which forwards it.
 */
const oneRequestMs = 1_000;

/**
 * Calls `stop` at the first request to stop. A second request ends the process immediately with exit code 1.
 * Returns a function that restores the default signal handling.
 */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): () => void {
  let requestedAt: number | null = null;
  const handle = (signal: NodeJS.Signals) => {
    if (requestedAt === null) {
      requestedAt = performance.now();
      stop(signal);
    } else if (performance.now() - requestedAt > oneRequestMs) {
      process.exit(1);
    }
  };
  for (const signal of stopSignals) process.on(signal, handle);
  return () => {
    for (const signal of stopSignals) process.off(signal, handle);
  };
}
