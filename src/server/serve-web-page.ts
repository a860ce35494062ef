import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ApiError, unknownPath } from '../platform/errors.ts';
import { maxSegmentLength } from '../platform/http/index.ts';

export const webFolder = fileURLToPath(new URL('../../web/dist', import.meta.url));

/** Paths that don't belong to the web UI. Unknown paths below them return a 404 like the API. */
const nonUiPath = /^\/(api|ack|health|metrics|docs|sso|badge|calendar|mcp|assets)(\/|$)/;

/**
 * Content security policy of the web UI: scripts only from this server, and no inline scripts. Inline styles
 * are allowed because components set sizes with them.
 */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Content security policy of the documentation, which has no scripts. */
const docsPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const notBuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pacekeeper</title>
<p>The web UI isn't built. Run <code>npm run build:web</code>. The API is at <a href="./api/v1/swagger">/api/v1/swagger</a>.</p></html>`;

/** Response to programs that request the URL of the web UI. */
const startingPoints = (basePath: string) => ({
  name: 'Pacekeeper',
  web_ui: 'Open this URL in a browser.',
  docs: `${basePath}/docs`,
  api: `${basePath}/api/v1/client`,
  api_reference: `${basePath}/api/v1/swagger`,
  api_description: `${basePath}/api/spec/openapi-client.yaml`,
});

export interface WebPageOptions {
  /** Path of the base URL, which browsers require in URLs. */
  basePath: string;
  /** Directory of the built page. Only tests change it. */
  folder?: string;
}

/**
 * Serves the web UI and the documentation: asset files with content hashes in their names, and one HTML
 * document for all URLs of the web UI.
 */
export async function serveWebPage(
  app: FastifyInstance,
  { basePath, folder = webFolder }: WebPageOptions,
): Promise<void> {
  const document = path.join(folder, 'index.html');
  const isBuilt = existsSync(document);
  const page = underBasePath(isBuilt ? readFileSync(document, 'utf8') : notBuilt, basePath);
  const documentation = readDocumentation(path.join(folder, 'docs'), basePath);
  const points = startingPoints(basePath);
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      decorateReply: false,
      preCompressed: true,
      cacheControl: false,
      globIgnore: ['**/*.html', '**/*.br'],
      setHeaders(reply, file) {
        const isNamedByContent = file.includes(`${path.sep}assets${path.sep}`);
        void reply.header(
          'cache-control',
          isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });
  }
  app.get<{ Params: { page?: string } }>('/docs/:page?', (request, reply) => {
    const { page: name = 'index' } = request.params;
    const text = documentation.get(name);
    if (text === undefined) throw unknownPath();
    return sendHtml(reply, text, docsPolicy);
  });
  app.get('/*', (request, reply) => {
    // Paths with an overlong segment match no API route, so they're handled here.
    const [pathname = ''] = request.url.split('?');
    if (pathname.split('/').some((part) => part.length > maxSegmentLength))
      throw new ApiError('validation_failed', 'A part of the path is too long.');
    const isForPage = accepts(request.headers.accept, 'text/html');
    if (pathname === '/' && !isForPage) return reply.header('vary', 'accept').send(points);
    if (nonUiPath.test(request.url) || !isForPage) throw unknownPath();
    return sendHtml(reply, page, pagePolicy);
  });
}

/**
 * Sends an HTML document.
 *
 * @param text Bytes, because a string would be copied for each slow client.
 */
function sendHtml(reply: FastifyReply, text: Buffer, policy: string): FastifyReply {
  return reply
    .header('content-security-policy', policy)
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(text);
}

/** Returns the documentation pages by name. The first page is `index`. */
function readDocumentation(folder: string, basePath: string): ReadonlyMap<string, Buffer> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder).filter((file) => file.endsWith('.html'));
  const read = (file: string) => underBasePath(readFileSync(path.join(folder, file), 'utf8'), basePath);
  return new Map(files.map((file) => [file.slice(0, -5), read(file)]));
}

/**
 * Adds the base path to all URLs of a built HTML document, because the document is served under several URLs. The web
 * UI is built with relative URLs (`./assets/…`), and the documentation with absolute paths. The scripts of the web UI
 * read the base path from a `meta` element.
 */
function underBasePath(html: string, basePath: string): Buffer {
  const completed = html
    .replaceAll(/(<[^<>]*\s(?:href|src)=")\.?\/(?!\/)/g, `$1${basePath}/`)
    .replace('<meta name="base-path" content=""', `<meta name="base-path" content="${basePath}"`);
  return Buffer.from(completed);
}

/**
 * True if the `Accept` header contains the type explicitly. Wildcards don't count, so only browsers get the
 * web UI, and programs get a 404.
 */
function accepts(header: string | undefined, type: string): boolean {
  return header?.toLowerCase().includes(type) ?? false;
}
