import type { SourceAnswer, SourceGetOptions, SourceHttp } from './source-http.ts';

/** Answers up to this size in all are kept; what goes beyond is asked for again. */
const maxKeptBytes = 64 * 1024 * 1024;

/**
 * Lets jobs with the same `sharedRequestKey`, organization and credential be run one after another with one
 * set of requests: each job gets its own `SourceHttp` from `forJob`, and the same question gets the answer
 * that is there already, or the same error. Drop it when the last of them has run.
 */
export function shareAnswers(http: SourceHttp): { forJob(): SourceHttp } {
  const answers = new Map<string, Promise<SourceAnswer>>();
  let keptBytes = 0;

  async function ask(key: string, url: string, options: SourceGetOptions): Promise<SourceAnswer> {
    try {
      const answer = await http.get(url, options);
      keptBytes += answer.body.byteLength;
      if (keptBytes > maxKeptBytes) answers.delete(key);
      return answer;
    } catch (error) {
      // Another job may have another deadline; an abort is not the answer of the host.
      if (!(error instanceof Error) || error.name !== 'RunError') answers.delete(key);
      throw error;
    }
  }

  function forJob(): SourceHttp {
    const usage = { requests: 0, waitedMs: 0 };

    async function get(url: string, options: SourceGetOptions): Promise<SourceAnswer> {
      const { accept, authorization, headers, validators, from, maxBytes } = options;
      const key = JSON.stringify([
        url,
        accept,
        authorization ?? null,
        headers ?? null,
        validators ?? null,
        from ? [from.url, from.isSameOrigin] : null,
        maxBytes,
      ]);
      const kept = answers.get(key);
      if (kept) return kept;
      const before = { ...http.usage };
      const answer = ask(key, url, options);
      answers.set(key, answer);
      try {
        return await answer;
      } finally {
        usage.requests += http.usage.requests - before.requests;
        usage.waitedMs += http.usage.waitedMs - before.waitedMs;
      }
    }

    return {
      schemeFor: (host) => http.schemeFor(host),
      get,
      async open(url, options) {
        const { body, ...head } = await get(url, options);
        return { ...head, body: inPieces(body) };
      },
      usage,
    };
  }

  return { forJob };
}

/** As a network would bring it, so that other work gets its turn. */
async function* inPieces(body: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  const size = 256 * 1024;
  for (let at = 0; at < body.byteLength; at += size) {
    yield body.subarray(at, at + size);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
