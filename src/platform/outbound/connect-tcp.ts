import { connect, isIP, type Socket } from 'node:net';
import { toOutboundError } from './outbound-error.ts';

/** Time that a connection attempt to one address can take before the next address is tried. */
const addressAttemptTimeoutMs = 1_000;

/**
 * Opens a TCP connection to the first of these addresses that accepts it.
 *
 * @param host Host name for error messages.
 */
export function connectTcp(
  addresses: readonly string[],
  port: number,
  host: string,
  signal: AbortSignal,
): Promise<Socket> {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }));
  return new Promise((resolve, reject) => {
    const socket = connect({
      // Use a placeholder instead of the real name, which could be resolved again. `lookup` returns the
      // checked addresses.
      host: 'checked.invalid',
      port,
      lookup: (_name, _options, callback) => callback(null, pinned),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: addressAttemptTimeoutMs,
      noDelay: true,
    });
    const settle = (): void => {
      signal.removeEventListener('abort', onAbort);
      socket.off('error', onError);
    };
    const onAbort = (): void => {
      settle();
      socket.on('error', () => {}).destroy();
      reject(signal.reason);
    };
    const onError = (error: Error): void => {
      settle();
      reject(toOutboundError(error, host));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('error', onError);
    socket.once('connect', () => {
      settle();
      // Until the caller adds an error handler, an error must not crash the process.
      socket.on('error', () => {});
      resolve(socket);
    });
  });
}
