/** What asks a program to stop: a service manager, Ctrl-C, a terminal that closes. */
const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Ctrl-C reaches every process of a terminal, and npm passes it on to a process that already has it. */
const oneRequestMs = 1_000;

/**
 * Calls `stop` at the first request to stop. A second one, from someone who doesn't want to wait, ends the process
 * immediately with exit code 1. Returns what restores the default handling of the signals.
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
