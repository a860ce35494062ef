import { isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { normalizeHost } from './egress-guard.ts';
import { OutboundError } from './outbound-error.ts';

/**
 * Starts TLS on an open connection and verifies the certificate against the requested host name.
 *
 * @param options.ca Certificates (PEM) that are trusted instead of the system's certificates.
 * @param options.protocols Protocols to negotiate (ALPN), for servers that offer several.
 */
export function secureConnection(
  socket: Socket,
  hostname: string,
  { ca, protocols }: { ca?: string | undefined; protocols?: string[] },
  signal: AbortSignal,
): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const name = normalizeHost(hostname) ?? hostname;
    const tls = connectTls({
      socket,
      host: name,
      ...(isIP(name) === 0 ? { servername: name } : {}),
      ...(ca === undefined ? {} : { ca }),
      ...(protocols === undefined ? {} : { ALPNProtocols: protocols }),
    });
    const fail = (error: unknown): void => {
      signal.removeEventListener('abort', onAbort);
      tls.on('error', () => {}).destroy();
      socket.destroy();
      reject(error);
    };
    const onAbort = (): void => fail(signal.reason);
    const onError = (error: unknown): void => {
      fail(new OutboundError('tls_failed', hostname, tlsSentence(error), error));
    };
    const onClose = (): void => onError(new Error('closed during the handshake'));
    signal.addEventListener('abort', onAbort, { once: true });
    tls.once('error', onError);
    tls.once('close', onClose);
    tls.once('secureConnect', () => {
      signal.removeEventListener('abort', onAbort);
      tls.off('error', onError).off('close', onClose);
      // Until the caller adds an error handler, an error must not crash the process.
      tls.on('error', () => {});
      resolve(tls);
    });
  });
}

function tlsSentence(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return 'the certificate has expired';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'the certificate is for a different host';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_GET_ISSUER_CERT':
      return "the certificate isn't signed by a trusted authority";
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return "the server doesn't use TLS on this port";
    default:
      return 'TLS connection failed';
  }
}
