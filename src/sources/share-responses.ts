import type { SourceBody } from './source-body.ts';
import type { SourceGetOptions, SourceHttp, SourceResponse } from './source-http.ts';

/**
 * Maximum total size of the cached responses. A larger response is cached only until the next request, and is requested
 * again if another job needs it.
 */
const maxKeptBytes = 2 * 1024 * 1024;

/**
 * Shares one set of requests between jobs with the same `sharedRequestKey`, organization, and credential.
 * Each job gets a separate `SourceHttp` from `forJob`. A repeated request returns the cached response or
 * throws the cached error. Requests are sent one after another. Discard the result after the last of the jobs
 * has run.
 */
export function shareResponses(http: SourceHttp): { forJob(): SourceHttp } {
  const answers = new Map<string, Promise<SourceResponse>>();
  let keptBytes = 0;
  let last: Promise<unknown> = Promise.resolve();

  /**
   * Sends a request. `http` releases the body of a response when it sends the next request, so small bodies
   * are copied for the cache.
   */
  async function send(key: string, url: string, options: SourceGetOptions): Promise<SourceResponse> {
    try {
      const answer = await http.get(url, options);
      if (keptBytes + answer.body.bytes > maxKeptBytes) return answer;
      keptBytes += answer.body.bytes;
      return { ...answer, body: copyOf(answer.body) };
    } catch (error) {
      // Don't cache an abort: it isn't a response of the host, and another job can have another deadline.
      if (!(error instanceof Error) || error.name !== 'RunError') answers.delete(key);
      throw error;
    }
  }

  function forJob(): SourceHttp {
    const usage = { requests: 0, waitedMs: 0 };

    async function get(url: string, options: SourceGetOptions): Promise<SourceResponse> {
      const { method, accept, authorization, headers, validators, from, maxBytes, body, acceptStatuses } =
        options;
      const key = JSON.stringify([
        method ?? null,
        url,
        accept,
        authorization ?? null,
        headers ?? null,
        validators ?? null,
        from ? [from.url, from.isSameOrigin] : null,
        maxBytes,
        body ?? null,
        acceptStatuses ?? null,
      ]);
      for (let pending = answers.get(key); pending; pending = answers.get(key)) {
        const known = await pending;
        if (!isFreed(known.body)) return { ...known, body: copyOf(known.body), cost: nothing };
        if (answers.get(key) === pending) answers.delete(key);
      }
      const pendingResponse = last.then(() => send(key, url, options));
      last = pendingResponse.catch(() => undefined);
      answers.set(key, pendingResponse);
      const answer = await pendingResponse;
      usage.requests += answer.cost.requests;
      usage.waitedMs += answer.cost.waitedMs;
      return { ...answer, body: copyOf(answer.body) };
    }

    return {
      schemeFor: (host) => http.schemeFor(host),
      get,
      scope: http.scope,
      usage,
      end: () => undefined,
    };
  }

  return { forJob };
}

const nothing = { requests: 0, waitedMs: 0 };

/** Copies the list of pieces, so that a reader that frees its body doesn't affect other readers. */
function copyOf({ bytes, pieces }: SourceBody): SourceBody {
  const own = [...pieces];
  return { bytes, pieces: own, free: () => void (own.length = 0) };
}

function isFreed({ bytes, pieces }: SourceBody): boolean {
  return bytes > 0 && pieces.length === 0;
}
