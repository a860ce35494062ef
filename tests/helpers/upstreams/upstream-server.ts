import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A request that a fake platform received. */
export interface UpstreamRequest {
  method: string;
  /** Request path, including the query string. */
  path: string;
  headers: IncomingMessage['headers'];
}

export interface UpstreamServer {
  /** Host and port in the form `127.0.0.1:port`. */
  host: string;
  /** All requests so far, in order. */
  requests: UpstreamRequest[];
  /**
   * Called with each request before the platform processes it. If it returns true, it has sent the response,
   * and the platform sends none.
   */
  intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | null;
  close(): Promise<void>;
}

/**
 * Starts a real HTTP server on 127.0.0.1 that acts as an upstream platform. By default, it uses a free port.
 */
export async function startUpstreamServer(
  answer: (request: IncomingMessage, response: ServerResponse, url: URL) => void,
  options: { port?: number } = {},
): Promise<UpstreamServer> {
  const requests: UpstreamRequest[] = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers });
    response.on('error', () => {});
    if (upstream.intercept?.(request, response)) return;
    answer(request, response, new URL(request.url ?? '/', `http://${upstream.host}`));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const upstream: UpstreamServer = {
    host: `127.0.0.1:${address.port}`,
    requests,
    intercept: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return upstream;
}

/** Sends a body with an `ETag`, or status 304 if the client already has it. */
export function sendWithEtag(
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
  headers: Record<string, string>,
): void {
  const etag = `W/"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
  const given = request.headers['if-none-match'] ?? '';
  if (given.split(',').some((value) => value.trim() === etag)) {
    response.writeHead(304, { ...headers, etag }).end();
    return;
  }
  response.writeHead(200, { ...headers, etag }).end(body);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}

/**
 * Returns the requested page of a list, and a `Link` header with the URLs of other pages. The `page`
 * parameter and the parameter named by `names.size` select the page.
 */
export function paginate<T>(
  items: readonly T[],
  url: URL,
  names: { size: string; maxSize: number; defaultSize: number },
): { items: readonly T[]; page: number; size: number; link: string | null } {
  const asked = Number(url.searchParams.get(names.size) ?? names.defaultSize);
  const size = Math.min(Math.max(1, Math.trunc(asked) || names.defaultSize), names.maxSize);
  const page = Math.max(1, Math.trunc(Number(url.searchParams.get('page') ?? 1)) || 1);
  const last = Math.max(1, Math.ceil(items.length / size));
  const address = (number: number): string => {
    const target = new URL(url);
    target.searchParams.set('page', String(number));
    return target.href;
  };
  const links = [
    ...(page > 1 ? [`<${address(page - 1)}>; rel="prev"`] : []),
    ...(page < last ? [`<${address(page + 1)}>; rel="next"`, `<${address(last)}>; rel="last"`] : []),
    ...(page > 1 ? [`<${address(1)}>; rel="first"`] : []),
  ];
  return {
    items: items.slice((page - 1) * size, page * size),
    page,
    size,
    link: links.length > 0 ? links.join(', ') : null,
  };
}
