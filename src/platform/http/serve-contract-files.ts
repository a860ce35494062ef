import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { generatorDocument } from './generator-document.ts';
import { swaggerDocument } from './swagger-document.ts';

const specFolder = fileURLToPath(new URL('../../../spec', import.meta.url));
const swaggerFolder = fileURLToPath(new URL('../../../node_modules/swagger-ui-dist', import.meta.url));

const swaggerPage = (basePath: string) => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Pacekeeper API</title>
  <link rel="icon" type="image/png" href="${basePath}/api/v1/swagger/assets/favicon-32x32.png">
  <link rel="stylesheet" href="${basePath}/api/v1/swagger/assets/swagger-ui.css">
</head>
<body>
  <div id="swagger-ui"></div>
  <script src="${basePath}/api/v1/swagger/assets/swagger-ui-bundle.js"></script>
  <script src="${basePath}/api/v1/swagger/assets/swagger-ui-standalone-preset.js"></script>
  <script src="${basePath}/api/v1/swagger/start.js"></script>
</body>
</html>
`;

const interfaces = [
  { id: 'client', name: 'Client' },
  { id: 'auth', name: 'Login' },
  { id: 'agent', name: 'Agent' },
] as const;

const swaggerStart = (basePath: string) => `window.ui = SwaggerUIBundle({
  urls: ${JSON.stringify(interfaces.map(({ id, name }) => ({ url: `${basePath}/api/v1/swagger/openapi-${id}.json`, name })))},
  dom_id: '#swagger-ui',
  deepLinking: true,
  persistAuthorization: false,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
});
`;

const swaggerPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

/**
 * Serves the unmodified contract at /api/spec, with one JSON file per interface for client generators. Also serves a page
 * at /api/v1/swagger, where users can read the contract and send requests. The page loads nothing from other hosts.
 *
 * @param basePath Path of the base URL, which browsers require in URLs.
 */
export async function serveContractFiles(app: FastifyInstance, basePath: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: specFolder,
    prefix: '/api/spec/',
    decorateReply: false,
    index: false,
    cacheControl: false,
    setHeaders: (reply, file) =>
      void reply
        .header('content-type', `application/${file.endsWith('.json') ? 'json' : 'yaml'}; charset=utf-8`)
        .header('cache-control', 'no-cache'),
  });
  await app.register(fastifyStatic, {
    root: swaggerFolder,
    prefix: '/api/v1/swagger/assets/',
    decorateReply: false,
    index: false,
    cacheControl: false,
    setHeaders: (reply) => void reply.header('cache-control', 'no-cache'),
    allowedPath: (file) =>
      /^\/(swagger-ui(-bundle|-standalone-preset)?\.(js|css)|favicon-32x32\.png)$/.test(file),
  });
  serveText(app, '/api/v1/swagger', 'text/html', swaggerPage(basePath), {
    'content-security-policy': swaggerPolicy,
  });
  serveText(app, '/api/v1/swagger/start.js', 'text/javascript', swaggerStart(basePath));
  for (const { id } of interfaces) {
    serveText(app, `/api/spec/openapi-${id}.json`, 'application/json', generatorDocument(id));
    serveText(app, `/api/v1/swagger/openapi-${id}.json`, 'application/json', swaggerDocument(id, basePath));
  }
}

/**
 * Serves a document that changes only with a new version of the program. Browsers cache it and revalidate it
 * by its ETag.
 */
function serveText(
  app: FastifyInstance,
  path: string,
  type: string,
  text: string,
  headers: Record<string, string> = {},
): void {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  // Use a buffer, because a string would be copied for each client that reads slowly.
  const bytes = Buffer.from(text);
  app.get(path, (request, reply) => {
    void reply.headers({ ...headers, etag, 'cache-control': 'no-cache' });
    if (request.headers['if-none-match'] === etag) return reply.status(304).send();
    return reply.type(`${type}; charset=utf-8`).send(bytes);
  });
}
