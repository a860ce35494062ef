import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import packageJson from '../../package.json' with { type: 'json' };
import { createAssistantServer } from './assistant-server.ts';
import type { ToolContext } from './tool.ts';

/**
 * Responds to one request of the Streamable HTTP transport, in any version of the protocol that the SDK
 * supports. Nothing is stored between requests, so any server can respond to any request. No response is a
 * stream.
 *
 * @param request Headers of the request, without a body.
 * @param body The parsed body.
 */
export async function serveAssistant(
  request: Request,
  body: unknown,
  context: ToolContext,
): Promise<Response> {
  const create = () => createAssistantServer(context, packageJson.version);
  if (await isLegacyRequest(request, body)) return serveLegacy(create(), request, body);
  // Allow no subscriptions, because the list of tools never changes.
  const handler = createMcpHandler(create, { legacy: 'reject', maxSubscriptions: 0 });
  return handler.fetch(request, { parsedBody: body });
}

/** Responds in a version of the protocol that begins with a handshake. Each request gets a separate server. */
async function serveLegacy(server: McpServer, request: Request, parsedBody: unknown): Promise<Response> {
  // Without a generator of session IDs, the transport has no sessions and accepts requests without a handshake.
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}
