import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '../platform/errors.ts';

export const webFolder = fileURLToPath(new URL('../../web/dist', import.meta.url));

/** What does not belong to the page: unknown paths there are answered as the API does. */
const notOfThePage = /^\/(api|ack|health|metrics|docs|badge|assets)(\/|$)/;

/** Scripts from here alone and none in the text; styles also where components set sizes of their own. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const notBuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pacekeeper</title>
<p>The web page is not built. Run <code>npm run build:web</code>; the API is at <a href="/api/v1/swagger">/api/v1/swagger</a>.</p></html>`;

/** The web page: its files, which never change under a name, and one document for every address of it. */
export async function serveWebPage(app: FastifyInstance, folder: string = webFolder): Promise<void> {
  const document = path.join(folder, 'index.html');
  const isBuilt = existsSync(document);
  const page = isBuilt ? readFileSync(document, 'utf8') : notBuilt;
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      decorateReply: false,
      preCompressed: true,
      cacheControl: false,
      globIgnore: ['index.html*', '**/*.br'],
      setHeaders(reply, file) {
        const isNamedByContent = file.includes(`${path.sep}assets${path.sep}`);
        void reply.header(
          'cache-control',
          isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });
  }
  app.get('/*', (request, reply) => {
    if (notOfThePage.test(request.url) || !accepts(request.headers.accept, 'text/html')) {
      throw new ApiError('not_found');
    }
    return reply
      .header('content-security-policy', pagePolicy)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page);
  });
}

/** Programs that ask for anything are told that there is nothing; only browsers get the page. */
function accepts(header: string | undefined, type: string): boolean {
  return header?.toLowerCase().includes(type) ?? false;
}
