import { sendWithEtag, startUpstreamServer, type UpstreamServer } from './upstream-server.ts';

export interface FakeEndoflife extends UpstreamServer {
  url: string;
  /** Time when the data was generated, in RFC 3339 format. */
  generatedAt: string;
  /**
   * Release lines of each product, newest first, with the end-of-life date of each line or a boolean that is
   * true if the line has ended.
   */
  products: Map<string, readonly (readonly [line: string, ends: string | boolean])[]>;
}

/** Starts a fake endoflife.date server that supports `ETag`. */
export async function startFakeEndoflife(options: { port?: number } = {}): Promise<FakeEndoflife> {
  const server = await startUpstreamServer((request, response, url) => {
    if (url.pathname !== '/api/v1/products/full') {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not Found</h1>');
      return;
    }
    sendWithEtag(request, response, toJson(upstream), { 'content-type': 'application/json' });
  }, options);
  const upstream: FakeEndoflife = Object.assign(server, {
    url: `http://${server.host}/api/v1/products/full`,
    generatedAt: '2026-01-01T00:00:00+00:00',
    products: new Map(),
  });
  return upstream;
}

function toJson({ generatedAt, products }: FakeEndoflife): string {
  const result = [...products].map(([name, lines]) => ({
    name,
    label: name.toUpperCase(),
    identifiers: [],
    links: {},
    releases: lines.map(([line, ends]) => ({
      name: line,
      label: line,
      releaseDate: null,
      isLts: false,
      ltsFrom: null,
      isEoas: null,
      isEol: typeof ends === 'boolean' ? ends : null,
      isMaintained: true,
      eolFrom: typeof ends === 'string' ? ends : null,
      latest: {
        name: `${line}.1`,
        date: null,
      },
    })),
  }));
  return JSON.stringify({ schema_version: '1.2.0', generated_at: generatedAt, total: result.length, result });
}
