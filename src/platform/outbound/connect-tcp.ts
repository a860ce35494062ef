import { connect, isIP, type Socket } from 'node:net';
import { toOutboundError } from './outbound-error.ts';

/** How long one of several addresses may take before the next one is tried, in ms. */
const nextAddressAfterMs = 1_000;

/**
 * Opens a TCP connection to one of these addresses, the first that answers.
 * @param host for messages
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
      // Never a name that could be resolved once more: `lookup` hands out what was checked.
      host: 'checked.invalid',
      port,
      lookup: (_name, _options, callback) => callback(null, pinned),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
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
      // Whoever takes the socket listens; until then an error must not end the process.
      socket.on('error', () => {});
      resolve(socket);
    });
  });
}
