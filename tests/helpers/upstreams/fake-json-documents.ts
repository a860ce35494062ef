import { sendJson, sendWithEtag, startUpstreamServer, type UpstreamServer } from './upstream-server.ts';

export interface FakeJsonDocuments extends UpstreamServer {
  /** JSON documents by path. */
  documents: Map<string, unknown>;
}

/** Starts a server of JSON documents with `ETag`, as package registries and download pages provide. */
export async function startFakeJsonDocuments(options: { port?: number } = {}): Promise<FakeJsonDocuments> {
  const server = await startUpstreamServer((request, response, url) => {
    if (!documents.documents.has(url.pathname)) {
      sendJson(response, 404, { error: 'not found' });
      return;
    }
    const body = JSON.stringify(documents.documents.get(url.pathname));
    sendWithEtag(request, response, body, { 'content-type': 'application/json' });
  }, options);
  const documents: FakeJsonDocuments = Object.assign(server, { documents: new Map<string, unknown>() });
  return documents;
}
