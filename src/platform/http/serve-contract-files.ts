import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const specFolder = fileURLToPath(new URL('../../../spec', import.meta.url));
const swaggerFolder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const swaggerPage = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Pacekeeper API</title>
  <link rel="stylesheet" href="/api/v1/swagger/assets/swagger-ui.css">
</head>
<body>
  <div id="swagger-ui"></div>
  <script src="/api/v1/swagger/assets/swagger-ui-bundle.js"></script>
  <script src="/api/v1/swagger/assets/swagger-ui-standalone-preset.js"></script>
  <script src="/api/v1/swagger/start.js"></script>
</body>
</html>
`;

const swaggerStart = `window.ui = SwaggerUIBundle({
  urls: [
    { url: '/api/spec/openapi-client.yaml', name: 'Client' },
    { url: '/api/spec/openapi-auth.yaml', name: 'Login' },
    { url: '/api/spec/openapi-agent.yaml', name: 'Agent' },
  ],
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
});
`;

const swaggerPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

/** The contract byte for byte at /api/spec, and a page to read and try it at /api/v1/swagger, without any other host. */
export async function serveContractFiles(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    root: specFolder,
    prefix: '/api/spec/',
    decorateReply: false,
    index: false,
    cacheControl: false,
    setHeaders: (reply) => void reply.header('content-type', 'application/yaml; charset=utf-8'),
  });
  await app.register(fastifyStatic, {
    root: swaggerFolder,
    prefix: '/api/v1/swagger/assets/',
    decorateReply: false,
    index: false,
    cacheControl: false,
    allowedPath: (file) => /^\/swagger-ui(-bundle|-standalone-preset)?\.(js|css)$/.test(file),
  });
  app.get('/api/v1/swagger', (_request, reply) =>
    reply.header('content-security-policy', swaggerPolicy).type('text/html; charset=utf-8').send(swaggerPage),
  );
  app.get('/api/v1/swagger/start.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(swaggerStart),
  );
}
