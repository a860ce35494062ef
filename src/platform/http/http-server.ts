import { randomUUID } from 'node:crypto';
import { maxHeaderSize } from 'node:http';
import type { Socket } from 'node:net';
import fastifyCookie from '@fastify/cookie';
import fastifyCors from '@fastify/cors';
import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
} from 'fastify';
import { ApiError, unknownPath } from '../errors.ts';
import type { Log } from '../log.ts';
import { createRateLimitedLog } from '../log-sparingly.ts';
import { withoutBasePath } from './base-path.ts';
import { closeStalledResponses } from './close-stalled-responses.ts';
import { compressResponses } from './compress-answers.ts';
import { removeForwardedPorts } from './forwarded-addresses.ts';
import { warnAboutUntrustedProxy } from './unnamed-proxy.ts';
import { closeOnUnreadBody } from './unread-body.ts';

/** Maximum length of a path segment. No resource has a longer name. */
export const maxSegmentLength = 512;

export interface HttpServerOptions {
  log: Log;
  /** Addresses of proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: readonly string[];
  /** Path of the base URL. Requests are served with it and without it. Empty by default. */
  basePath?: string;
  /** True if people reach the server over HTTPS, so that browsers should never use plain HTTP. */
  requiresHttps?: boolean;
  /** Origins whose pages can call the API from a browser. None by default. */
  corsOrigins?: readonly string[];
  /** Time for which an idle connection stays open. 72 seconds by default. */
  keepAliveMs?: number;
  /** True if an error means that the database is temporarily unavailable. */
  isUnavailable(error: unknown): boolean;
  /** True if an error means that the database canceled a statement that took too long. */
  isTimeout?(error: unknown): boolean;
  /** Timeout for stalled responses. Only tests change it; the default is 30 seconds. */
  stalledAfterMs?: number;
  /** Called after every response, for the metrics. */
  onAnswered?(request: { route: string; method: string; status: number; durationMs: number }): void;
}

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']);

/**
 * Creates a server with the features that all responses share: a request ID, security headers, a common error
 * format, and one log line.
 */
export async function createHttpServer(options: HttpServerOptions): Promise<FastifyInstance> {
  const logs: ErrorLogs = { log: options.log, logSparingly: createRateLimitedLog(options.log) };
  const handleError = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
    sendError(toApiError(error, reply, options), error, request, reply, logs);
  const app = fastify({
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    requestIdHeader: false,
    genReqId: requestId,
    routerOptions: { maxParamLength: maxSegmentLength, ignoreTrailingSlash: true },
    forceCloseConnections: 'idle',
    requestTimeout: 60_000,
    ...(options.keepAliveMs !== undefined && { keepAliveTimeout: options.keepAliveMs }),
    logger: false,
    // Requests with paths that can't be decoded end here without running any hooks.
    frameworkErrors: (error, request, reply) => {
      void reply.headers(commonHeaders(request, options));
      closeOnUnreadBody(request, reply);
      handleError(error, request, reply);
    },
    clientErrorHandler: rejectMalformed,
    // Replace an unknown method with TRACE, so that the response is the same 405. The framework has no routes for
    // unknown methods and treats QUERY specially.
    rewriteUrl(request) {
      if (!knownMethods.has(request.method ?? '')) request.method = 'TRACE';
      if (options.trustedProxies.length > 0) removeForwardedPorts(request);
      return withoutBasePath(request.url ?? '/', options.basePath ?? '');
    },
    // Accept requests without a Host header here, because Node would reject them with an empty response.
    http: { requireHostHeader: false },
  });
  // Without a listener, Node rejects unknown `Expect` values with an empty 417. The specification allows
  // servers to ignore them.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  // Handle a request with `Expect: 100-continue` like any other. The client gets its 100 response when the
  // body is read.
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response));
  await app.register(fastifyCookie);
  await compressResponses(app);
  closeStalledResponses(app, options.stalledAfterMs);
  closeQuietConnections(app);

  // No body is read before the caller is authenticated and the operation is known to require one. See
  // request-body.ts.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));

  const warnOfProxy = warnAboutUntrustedProxy(options.log);
  app.addHook('onRequest', async (request, reply) => {
    warnOfProxy(request);
    void reply.headers(commonHeaders(request, options));
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      throw new ApiError('validation_failed', 'The Host header is missing.');
    }
    // Node uses the first of several Host headers, while a proxy can use another one (RFC 9112, section 3.2).
    if (countHostHeaders(request.raw.rawHeaders) > 1)
      throw new ApiError('validation_failed', 'The request has more than one Host header.');
  });
  if (options.corsOrigins && options.corsOrigins.length > 0) await allowOrigins(app, options.corsOrigins);
  app.addHook('onSend', (request, reply, _payload, done) => {
    closeOnUnreadBody(request, reply);
    done();
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    const durationMs = Math.round(reply.elapsedTime);
    options.onAnswered?.({ route, method: request.method, status: reply.statusCode, durationMs });
    options.log.debug(
      { requestId: request.id, method: request.method, route, status: reply.statusCode, durationMs },
      'answered',
    );
  });
  app.setErrorHandler(handleError);
  app.setNotFoundHandler((request, reply) => {
    sendError(unknownPath(), null, request, reply, logs);
  });
  return app;
}

/**
 * Closes connections without a request in progress every second while the server is closing. Otherwise, each of them
 * would delay the shutdown until its time limit: Node closes idle connections only once, so those whose request ends
 * later remain open, and it doesn't count connections as idle on which no request has begun yet. Browsers open such
 * connections in advance.
 */
function closeQuietConnections(app: FastifyInstance): void {
  const unused = new Set<Socket>();
  app.server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }) => unused.delete(socket));
  app.addHook('preClose', (done) => {
    const timer = setInterval(() => {
      app.server.closeIdleConnections();
      for (const socket of unused) socket.destroy();
    }, 1_000);
    app.server.once('close', () => clearInterval(timer));
    done();
  });
}

/**
 * Lets pages of other origins call the API and the tools for assistants. Requests of these pages contain no
 * cookies, so they need an API key or an access token. Writes authenticated by a cookie still require this
 * server's own origin.
 */
async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  const allowed = {
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'X-API-Key',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'If-None-Match',
      'X-Request-Id',
      'Mcp-Method',
      'Mcp-Name',
      'Mcp-Protocol-Version',
    ],
    exposedHeaders: [
      'Allow',
      'Www-Authenticate',
      'Content-Disposition',
      'Deprecation',
      'ETag',
      'Link',
      'Location',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'Sunset',
      'X-Request-Id',
    ],
    maxAge: 7_200,
  };
  await app.register(fastifyCors, {
    delegator(request, done) {
      // OPTIONS requests that aren't preflights get the same response as without allowed origins.
      const preflight = request.headers['access-control-request-method'] !== undefined;
      const isOpen = request.url.startsWith('/api/') || /^\/mcp(?:\/?$|\?)/.test(request.url);
      done(null, isOpen ? { ...allowed, preflight } : { origin: false });
    },
  });
}

function commonHeaders(
  request: FastifyRequest,
  { requiresHttps = false }: Pick<HttpServerOptions, 'requiresHttps'>,
): Record<string, string> {
  return {
    'x-request-id': request.id,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    // Don't include subdomains, because other hosts of the domain don't belong to Pacekeeper.
    ...(requiresHttps && { 'strict-transport-security': 'max-age=31536000' }),
    // After an upgrade request, Node ignores malformed data on the connection and leaves it open, so close
    // it.
    ...(request.headers.upgrade !== undefined && { connection: 'close' }),
  };
}

/**
 * Responds on the raw socket to input that isn't HTTP or arrives too slowly, because it never becomes a
 * request.
 */
function rejectMalformed(this: FastifyInstance, error: Error, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const hasLargeHeaders = 'code' in error && error.code === 'HPE_HEADER_OVERFLOW';
  const { status, code, title, message } = new ApiError(
    'validation_failed',
    hasLargeHeaders
      ? `The request headers exceed ${maxHeaderSize} bytes. In a browser, cookies of other sites of the same domain can cause this: delete them.`
      : 'Malformed HTTP request.',
  );
  const body = JSON.stringify({ status, code, title, detail: message, request_id: randomUUID() });
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${body}`,
  );
}

function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\x21-\x7e]{1,128}$/.test(given) ? given : randomUUID();
}

interface ErrorLogs {
  log: Log;
  logSparingly: ReturnType<typeof createRateLimitedLog>;
}

/** Converts an error to a response. All error responses are created here. */
function sendError(
  error: ApiError,
  cause: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { log, logSparingly }: ErrorLogs,
): void {
  // An outage (503) is temporary and affects many requests, so their log lines share one limit. Any other 5xx is a bug,
  // which a client can repeat, so its log lines are limited per operation.
  if (error.status >= 500) {
    const route = request.routeOptions.url;
    const about = { requestId: request.id, route };
    const fields = { err: cause ?? error, ...about };
    // The client has disconnected, so this isn't a problem.
    if (error.status === 503 && reply.raw.destroyed) log.debug(about, error.message);
    else if (error.status === 503) logSparingly(fields, error.title);
    else logSparingly(fields, error.title, { level: 'error', key: `${request.method} ${route ?? ''}` });
  }
  const { errors, retryAfterSeconds, headers, extra } = error.options;
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds));
  // Use the scheme Bearer, because browsers don't open a login dialog for it.
  if (error.status === 401) void reply.header('www-authenticate', 'Bearer realm="Pacekeeper"');
  if (headers) void reply.headers(headers);
  void reply
    .status(error.status)
    .type('application/json; charset=utf-8')
    .send({
      status: error.status,
      code: error.code,
      title: error.title,
      detail: error.message.slice(0, 2_000),
      request_id: request.id,
      ...(errors && { errors }),
      ...extra,
    });
}

function toApiError(error: FastifyError, reply: FastifyReply, options: HttpServerOptions): ApiError {
  if (error instanceof ApiError) return error;
  // The client disconnected before a compressed response was sent.
  if (error.code === 'ERR_STREAM_PREMATURE_CLOSE' && reply.raw.destroyed)
    return new ApiError('unavailable', 'The client disconnected.', { cause: error });
  if (options.isUnavailable(error))
    return new ApiError('unavailable', undefined, { cause: error, retryAfterSeconds: 2 });
  // Request a later retry than for the errors above. The statement waited for a lock, or the database is
  // busy, so an early retry would add to the load.
  if (options.isTimeout?.(error))
    return new ApiError('unavailable', 'The database took too long to respond. Try again.', {
      cause: error,
      retryAfterSeconds: 5,
    });
  switch (error.statusCode) {
    case 415:
      return new ApiError('unsupported_media_type', undefined, { cause: error });
    case 400:
    case 414:
      return new ApiError('validation_failed', 'Malformed HTTP request.', {
        cause: error,
      });
    // The path is a directory of static files, which has no page.
    case 403:
    case 404:
      return unknownPath({ cause: error });
    default:
      return new ApiError('internal', undefined, { cause: error });
  }
}

/** @param rawHeaders Alternating names and values. */
function countHostHeaders(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
}
