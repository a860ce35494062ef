import type { Socket } from 'node:net';
import { OutboundError, toOutboundError } from './outbound-error.ts';

/**
 * Time that the connection must stay open before this side closes it. If the receiver behind a forwarder is
 * down, the forwarder accepts connections and closes them immediately. Data written in between would appear
 * to be sent.
 */
const minOpenMs = 250;

/**
 * Sends all of `data` over a connection and closes it. Resolves when the receiver closes the connection after
 * this side does, which means that it has read everything. Always destroys the socket.
 *
 * @throws OutboundError or `signal.reason`.
 */
export function sendAndClose(
  socket: Socket,
  data: string,
  { host, signal }: { host: string; signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve, reject) => {
    let isClosing = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      settle();
    };
    const onAbort = (): void => finish(() => reject(signal.reason));
    const failEarly = (): void =>
      finish(() =>
        reject(new OutboundError('connection_failed', host, 'the connection was closed while sending')),
      );
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    socket.on('error', (error) => finish(() => reject(toOutboundError(error, host))));
    socket.once('end', () => {
      if (isClosing) finish(resolve);
      else failEarly();
    });
    socket.once('close', failEarly);
    // Responses are ignored but must be read to detect the end of the connection.
    socket.resume();
    socket.write(data, (error) => {
      if (error) return;
      timer = setTimeout(() => {
        isClosing = true;
        socket.end();
      }, minOpenMs);
    });
  });
}
