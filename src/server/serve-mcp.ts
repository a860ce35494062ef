import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createApiClient } from '../client/api-client.ts';
import type { Config } from '../platform/config.ts';
import { ApiError, invalidField } from '../platform/errors.ts';
import {
  acquireAllLimits,
  authorizeKey,
  type BodyBudget,
  createAbortSignal,
  createConcurrencyLimit,
  credentialOf,
  hideContentType,
  methodNotAllowedRoute,
  readJsonBody,
  type ServeOptions,
} from '../platform/http/index.ts';
import { loopbackUrl } from './listen-address.ts';

export interface ServeMcpDeps extends Pick<ServeOptions, 'authenticate' | 'requestsPerMinute' | 'stopping'> {
  config: Pick<Config, 'corsOrigins'>;
  bodyBudget: BodyBudget;
  /** URL at which the server listens. */
  url: string;
  baseUrl: string;
}

/** Limits of a message. Arguments of tools are short strings, IDs, and at most one rule. */
const bodyLimits = { bytes: 64 * 1024, values: 2_000 };

/** Maximum number of messages in a request. Only one version of the protocol has more than one. */
const maxMessages = 20;

/** Maximum number of requests that are open at the same time. Assistants call a few tools at the same time. */
const maxOpen = { ofKey: 8, ofOrganization: 16 };

/** Duration after which calls to the API are aborted, so that the tool can explain what happened. */
const maxCallMs = 50_000;

/** Maximum duration of a request. */
const maxRequestMs = 55_000;

/**
 * Serves the tools for assistants at `/mcp`, by the Streamable HTTP transport of the Model Context Protocol. Tools call
 * the API over this server's address with the key of the request, so that all checks and limits of the API apply
 * to them.
 */
export function serveMcp(app: FastifyInstance, deps: ServeMcpDeps): void {
  const allowedOrigins = new Set([new URL(deps.baseUrl).origin, ...deps.config.corsOrigins]);
  const keys = createConcurrencyLimit('open requests of an API key to /mcp');
  const organizations = createConcurrencyLimit('open requests of an organization to /mcp');
  const url = '/mcp';
  app.route({
    method: 'POST',
    url,
    onRequest: hideContentType,
    async handler(request, reply) {
      checkOrigin(request, allowedOrigins);
      const caller = await authorizeKey(app, request, reply, 'viewer', deps);
      const end = acquireAllLimits([
        [keys, credentialOf(caller), maxOpen.ofKey],
        [organizations, String(caller.organizationId), maxOpen.ofOrganization],
      ]);
      try {
        const body = await readJsonBody(request, reply, caller, deps.bodyBudget, bodyLimits);
        try {
          if (Array.isArray(body.value) && body.value.length > maxMessages)
            throw invalidField('body', `must not have more than ${maxMessages} messages`);
          const signal = createAbortSignal(reply, deps.stopping);
          const response = await respond(request, body.value, signal, deps);
          void reply.status(response.status);
          if (response.body === null) return await reply.send();
          const contentType = response.headers.get('content-type') ?? 'application/json';
          return await reply.type(contentType).send(await response.text());
        } finally {
          body.release();
        }
      } finally {
        end();
      }
    },
  });
  app.route(methodNotAllowedRoute(url, ['POST']));
}

/**
 * Rejects requests of other web pages, as the protocol requires. Otherwise, a page whose domain resolves to this server
 * (DNS rebinding) could send requests to it. Programs send no `Origin`.
 */
function checkOrigin({ headers: { origin } }: FastifyRequest, allowed: ReadonlySet<string>): void {
  if (origin === undefined || allowed.has(origin)) return;
  throw new ApiError(
    'forbidden',
    "Pages of this origin can't use /mcp. An operator can list the origin in PACEKEEPER_CORS_ORIGINS.",
  );
}

async function respond(
  request: FastifyRequest,
  body: unknown,
  signal: AbortSignal,
  { url, baseUrl }: ServeMcpDeps,
): Promise<Response> {
  // The SDK is loaded with the first request, because most installations don't use it.
  const { serveAssistant } = await import('../assistant/serve-assistant.ts');
  const tooLong = new AbortController();
  const timer = setTimeout(
    () => tooLong.abort(new Error('The tool took too long. Use more filters or a lower limit.')),
    maxCallMs,
  );
  const api = createApiClient({
    baseUrl: loopbackUrl(url),
    apiKey: String(request.headers['x-api-key']),
    headers: { 'x-request-id': request.id },
    signal: AbortSignal.any([signal, tooLong.signal]),
  });
  const done = new AbortController();
  try {
    return await Promise.race([
      serveAssistant(toWebRequest(request, baseUrl), body, { api, server: baseUrl }),
      // Limit the wait, because a message that was canceled by another one never gets a response.
      sleep(maxRequestMs, undefined, { signal: done.signal }).then(() => {
        throw new ApiError('unavailable', 'The request took too long.');
      }),
    ]);
  } finally {
    clearTimeout(timer);
    done.abort();
  }
}

/** Returns a request with the headers that the protocol defines, and without a body. */
function toWebRequest({ headers }: FastifyRequest, baseUrl: string): Request {
  const names = Object.keys(headers).filter((name) => name === 'accept' || name.startsWith('mcp-'));
  return new Request(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      ...Object.fromEntries(names.map((name) => [name, String(headers[name])])),
      'content-type': 'application/json',
    },
  });
}
