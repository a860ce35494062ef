import { Agent, request as startRequest } from 'node:http';
import type { Socket } from 'node:net';

export interface RawRequest {
  method: string;
  /** Path including the query, sent without encoding or normalization. */
  path: string;
  headers?: Readonly<Record<string, string | string[]>>;
  body?: string | Buffer | undefined;
}

export interface RawResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

export class NoResponseError extends Error {
  constructor(request: string, isReused: boolean, socket: Socket | null) {
    const { localPort, readyState, bytesWritten, bytesRead } = socket ?? {};
    super(
      `${request} has no answer after 40 s; its ${isReused ? 'reused' : 'new'} connection: ${JSON.stringify({ localPort, readyState, bytesWritten, bytesRead })}`,
    );
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/**
 * Sends one request unmodified and returns the complete response, or the beginning of a stream. A response
 * that arrives before the body is completely sent is returned too.
 */
export function sendRequest(
  baseUrl: string,
  { method, path, headers = {}, body }: RawRequest,
): Promise<RawResponse> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = startRequest({ agent, hostname, port, method, path, headers: { ...length, ...headers } });
    const timer = setTimeout(
      () => sent.destroy(new NoResponseError(`${method} ${path}`, sent.reusedSocket, sent.socket)),
      40_000,
    );
    let isAnswered = false;
    sent.on('error', (error) => {
      clearTimeout(timer);
      if (!isAnswered) reject(error);
    });
    sent.on('response', (response) => {
      isAnswered = true;
      const chunks: Buffer[] = [];
      const finish = () => {
        clearTimeout(timer);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        });
      };
      const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (!isStream) return;
        finish();
        sent.destroy();
      });
      response.on('end', finish);
      response.on('error', finish);
    });
    sent.end(body);
  });
}
