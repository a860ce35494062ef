import { RunError } from '../domain/runs/run-error.ts';
import type { OsvMatches } from '../sources/read-osv-matches.ts';
import type { FoundOsvRecord } from '../sources/read-osv-records.ts';
import type { SourceBody } from '../sources/source-body.ts';
import type { createSourceHttp, SourceHttp, SourceUsage } from '../sources/source-http.ts';
import type { HeldTask, TaskOf } from './agent-task.ts';
import { createBackOff, pause } from './back-off.ts';
import type { StartBodyReading } from './body-reading.ts';

/** A package without a version, so that OSV receives no deployed versions. */
export interface OsvQuery {
  readonly package: { readonly ecosystem: string; readonly name: string };
  readonly page_token?: string;
}

export interface OsvClient {
  readonly host: string;
  /** Returns the result of each query, by its position. Null if OSV rejects the batch. */
  query(queries: readonly OsvQuery[]): Promise<OsvMatches[] | null>;
  /**
   * Requests the records with these IDs in order, until the responses reach `maxBytes`. Returns the
   * responses, and the IDs that have no record.
   */
  getRecords(
    ids: readonly string[],
    maxBytes: number,
  ): Promise<{ responses: RecordResponse[]; missing: string[] }>;
  /** Parses responses in the sandbox, because they're untrusted. */
  readRecords(responses: readonly RecordResponse[]): AsyncGenerator<FoundOsvRecord[], void, undefined>;
  usage(): SourceUsage;
  end(): void;
}

export interface RecordResponse {
  readonly id: string;
  readonly bytes: number;
  readonly pieces: readonly Uint8Array[];
}

export interface OsvClientDeps {
  sourceHttp: ReturnType<typeof createSourceHttp>;
  startReading: StartBodyReading;
  clock: () => Date;
}

/**
 * Maximum number of concurrent requests. OSV has no rate limit, but `host-limits.ts` allows no more requests for one
 * organization.
 */
const maxConcurrentRequests = 8;
/** Maximum size of a page. A page has 3,000 records of 80 bytes. */
const maxPageBytes = 4 * 1024 * 1024;
/** Maximum size of a record that can be stored. See `parseRecordLine`. */
const maxRecordBytes = 2_000_000;

const maxAttempts = 4;
/**
 * Time after the start of a run by which every wait must end. If a wait would end later, the run fails and is
 * retried. The limit is below the 15 minutes that a run can take.
 */
const waitLimitMs = 12 * 60_000;
const temporaryCodes: readonly string[] = ['rate_limited', 'timeout', 'unreachable', 'upstream_error'];

/**
 * Creates a client that sends the requests of one run to the OSV API. It retries temporary failures, so that
 * a long fetch doesn't have to start over.
 */
export function createOsvClient(
  held: HeldTask<TaskOf<'reference'>>,
  { sourceHttp, startReading, clock }: OsvClientDeps,
): OsvClient {
  const { signal } = held;
  const fairKey = String(held.task.organization_id);
  const { url } = held.task.spec;
  const { host } = new URL(url);
  const waitDeadlineMs = clock().getTime() + waitLimitMs;
  // A client keeps at most one large response, so each concurrent request has a separate client.
  const clients = Array.from({ length: maxConcurrentRequests }, () =>
    sourceHttp.forJob({ credential: null, signal, fairKey }),
  );
  const [first] = clients as [SourceHttp, ...SourceHttp[]];
  const { read } = startReading({ fairKey, signal, criteria: null });

  async function withRetries<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    const backOff = createBackOff();
    for (let attempt = 1; ; attempt++) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof RunError) || !temporaryCodes.includes(error.code)) throw error;
        const nowMs = clock().getTime();
        const waitMs = backOff.nextMs(error.retryAt === null ? 0 : error.retryAt.getTime() - nowMs);
        if (attempt === maxAttempts || nowMs + waitMs > waitDeadlineMs) throw error;
        await pause(waitMs, signal);
        signal.throwIfAborted();
      }
    }
  }

  /** Returns null if no usable record exists. */
  async function getRecord(http: SourceHttp, id: string): Promise<RecordResponse | null> {
    const { status, body } = await withRetries(() =>
      http.get(`${url}/v1/vulns/${encodeURIComponent(id)}`, {
        what: `the record ${id}`,
        accept: 'application/json',
        maxBytes: maxRecordBytes,
        acceptStatuses: [404, 410],
      }),
    ).catch((error: unknown) => {
      if (error instanceof RunError && error.code === 'too_large') return { status: 413, body: null };
      throw error;
    });
    const response = body && { id, bytes: body.bytes, pieces: [...body.pieces] };
    body?.free();
    return status === 200 ? response : null;
  }

  return {
    host,

    async query(queries) {
      const what = 'known vulnerabilities';
      const { status, body } = await withRetries(() =>
        first.get(`${url}/v1/querybatch`, {
          what,
          accept: 'application/json',
          maxBytes: maxPageBytes,
          acceptStatuses: [400],
          body: JSON.stringify({ queries }),
        }),
      );
      if (status === 400) {
        body.free();
        return null;
      }
      const matches: OsvMatches[] = [];
      for await (const part of read('osv_matches', { host, what, queries: queries.length }, body))
        matches.push(...part);
      return matches;
    },

    async getRecords(ids, maxBytes) {
      const responses: RecordResponse[] = [];
      const missing: string[] = [];
      const waiting = [...ids];
      let bytes = 0;
      await Promise.all(
        clients.map(async (http) => {
          for (
            let id = waiting.shift();
            id !== undefined;
            id = bytes < maxBytes ? waiting.shift() : undefined
          ) {
            const response = await getRecord(http, id);
            if (response === null) missing.push(id);
            else responses.push(response);
            bytes += response?.bytes ?? 0;
          }
        }),
      );
      return { responses, missing };
    },

    readRecords(responses) {
      const body: SourceBody = {
        bytes: responses.reduce((sum, { bytes }) => sum + bytes, 0),
        pieces: responses.flatMap(({ pieces }) => pieces),
        free: () => undefined,
      };
      return read('osv_records', { responses: responses.map(({ id, bytes }) => ({ id, bytes })) }, body);
    },

    usage: () => ({
      requests: clients.reduce((sum, { usage }) => sum + usage.requests, 0),
      waitedMs: clients.reduce((sum, { usage }) => sum + usage.waitedMs, 0),
    }),

    end() {
      for (const http of clients) http.end();
    },
  };
}
