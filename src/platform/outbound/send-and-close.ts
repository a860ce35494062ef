import type { Socket } from 'node:net';
import { OutboundError, toOutboundError } from './outbound-error.ts';

/**
 * A forwarder without a receiver behind it accepts connections and closes them at once. What is sent in between looks
 * like sent, so the connection must stay open for this long before it is closed from here.
 */
const staysOpenMs = 250;

/**
 * Sends all of `data` on a connection and closes it. Resolves once the receiver has closed it as well, after it was closed
 * here: it then has read everything. Destroys the connection in any case.
 *
 * @throws OutboundError, or `signal.reason`
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
    // What it says has no meaning; it must be read for the end to be noticed.
    socket.resume();
    socket.write(data, (error) => {
      if (error) return;
      timer = setTimeout(() => {
        isClosing = true;
        socket.end();
      }, staysOpenMs);
    });
  });
}
