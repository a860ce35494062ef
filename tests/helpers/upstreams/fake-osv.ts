import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { zipOf } from '../zip-of.ts';
import { sendJson, startUpstreamServer, type UpstreamServer } from './upstream-server.ts';

/** Required fields of a record. */
export interface FakeOsvRecord {
  readonly id: string;
  readonly modified: string;
  readonly withdrawn?: string;
  readonly affected: readonly { readonly package: { readonly ecosystem: string; readonly name: string } }[];
}

interface Query {
  package?: { ecosystem?: string; name?: string };
  version?: string;
  page_token?: string;
}

export interface FakeOsv extends UpstreamServer {
  url: string;
  /** Current records, by ID. */
  records: Map<string, FakeOsvRecord>;
  /**
   * Ecosystems that the server rejects. If a batch contains one of them, the server rejects the whole batch.
   */
  unknownEcosystems: Set<string>;
  /**
   * Maximum number of records on a page of one query. The real OSV allows 1,000, and 3,000 for all queries in
   * one response (`responseSize`).
   */
  pageSize: number;
  responseSize: number;
  /** Queries of each batch, including rejected batches. */
  batches: Query[][];
  /** IDs of the records that were requested. */
  fetched: string[];
  /** Ecosystems of the downloaded archives, except archives that hadn't changed. */
  downloads: string[];
  /** Bytes, or the path of a file, to serve instead of the archive of an ecosystem. */
  archives: Map<string, Buffer | string>;
  /** Statuses to return instead of the archive of an ecosystem. */
  archiveStatuses: Map<string, number>;
  /** All data that the server received: URLs, headers, and bodies. */
  wire: string;
}

/**
 * Starts a fake of the OSV API, which serves batches of package queries, and records by ID. Query results exclude
 * withdrawn records. It also serves the archive of each ecosystem (`/files/ECOSYSTEM/all.zip`), which includes
 * withdrawn records.
 */
export async function startFakeOsv(): Promise<FakeOsv> {
  /**
   * IDs by ecosystem and package name, in the order of the records. The index is rebuilt when `records` is
   * replaced or its size changes.
   */
  let index: { of: unknown; size: number; ids: Map<string, string[]> } | null = null;

  function idsOf({ ecosystem = '', name = '' }: NonNullable<Query['package']>): readonly string[] {
    if (index?.of !== osv.records || index.size !== osv.records.size) {
      const ids = new Map<string, string[]>();
      for (const { id, affected } of osv.records.values())
        for (const key of new Set(affected.map((each) => `${each.package.ecosystem}/${each.package.name}`)))
          ids.set(key, [...(ids.get(key) ?? []), id]);
      index = { of: osv.records, size: osv.records.size, ids };
    }
    return (index.ids.get(`${ecosystem}/${name}`) ?? []).filter(
      (id) => osv.records.get(id)?.withdrawn === undefined,
    );
  }

  function answerBatch(queries: Query[]): [status: number, body: object] {
    const invalid = (message: string): [number, object] => [400, { code: 3, message }];
    osv.batches.push(queries);
    if (queries.length > 1_000) return invalid('Too many queries.');
    if (queries.some((query) => osv.unknownEcosystems.has(query.package?.ecosystem ?? '')))
      return invalid('Invalid ecosystem.');
    if (queries.some((query) => !query.package?.name || !query.package.ecosystem))
      return invalid('Invalid query.');
    let left = osv.responseSize;
    const results = queries.map((query) => {
      const from = Number(query.page_token ?? 0);
      const ids = idsOf(query.package!);
      const page = ids.slice(from, from + Math.min(osv.pageSize, left));
      left -= page.length;
      const end = from + page.length;
      return {
        ...(page.length > 0 && {
          vulns: page.map((id) => ({ id, modified: osv.records.get(id)!.modified })),
        }),
        ...(end < ids.length && { next_page_token: String(end) }),
      };
    });
    return [200, { results }];
  }

  const server = await startUpstreamServer((request, response, url) => {
    const [, id] = /^\/v1\/vulns\/([^/]+)$/.exec(url.pathname) ?? [];
    if (id !== undefined && request.method === 'GET') {
      noteWire(request, '');
      osv.fetched.push(decodeURIComponent(id));
      const record = osv.records.get(decodeURIComponent(id));
      if (record) sendJson(response, 200, record);
      else sendJson(response, 404, { code: 5, message: 'Bug not found.' });
      return;
    }
    if (url.pathname === '/v1/querybatch' && request.method === 'POST') {
      void readText(request).then((text) => {
        noteWire(request, text);
        const [status, body] = answerBatch((JSON.parse(text) as { queries: Query[] }).queries);
        sendJson(response, status, body);
      });
      return;
    }
    const [, ecosystem] = /^\/files\/([^/]+)\/all\.zip$/.exec(url.pathname) ?? [];
    const archive = ecosystem === undefined ? null : archiveOf(decodeURIComponent(ecosystem));
    const status =
      ecosystem === undefined ? undefined : osv.archiveStatuses.get(decodeURIComponent(ecosystem));
    if (status !== undefined) {
      noteWire(request, '');
      response.writeHead(status).end('<Error><Code>AccessDenied</Code></Error>');
      return;
    }
    if (archive !== null) {
      noteWire(request, '');
      if (typeof archive === 'string') {
        osv.downloads.push(decodeURIComponent(ecosystem!));
        createReadStream(archive).pipe(response);
        return;
      }
      const etag = `"${createHash('sha256').update(archive).digest('hex')}"`;
      const isUnchanged = request.headers['if-none-match'] === etag;
      if (!isUnchanged) osv.downloads.push(decodeURIComponent(ecosystem!));
      response.writeHead(isUnchanged ? 304 : 200, { etag, 'content-type': 'application/zip' });
      response.end(isUnchanged ? undefined : archive);
      return;
    }
    sendJson(response, 404, { code: 5, message: 'Not Found' });
  });

  function archiveOf(ecosystem: string): Buffer | string | null {
    const given = osv.archives.get(ecosystem);
    if (given !== undefined) return given;
    const records = [...osv.records.values()].filter(({ affected }) =>
      affected.some((each) => each.package.ecosystem === ecosystem),
    );
    if (records.length === 0) return null;
    return zipOf(
      records.map((record) => [`${record.id}.json`, JSON.stringify(record)] as const),
      { isCompressed: true },
    );
  }

  function noteWire(request: IncomingMessage, body: string): void {
    osv.wire += `${request.method} ${request.url}\n${JSON.stringify(request.headers)}\n${body}\n`;
  }

  const osv: FakeOsv = Object.assign(server, {
    url: `http://${server.host}`,
    records: new Map(),
    unknownEcosystems: new Set<string>(),
    pageSize: 1_000,
    responseSize: 3_000,
    batches: [],
    fetched: [],
    downloads: [],
    archives: new Map(),
    archiveStatuses: new Map(),
    wire: '',
  });
  return osv;
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
