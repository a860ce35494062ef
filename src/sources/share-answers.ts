import type { SourceBody } from './source-body.ts';
import type { SourceAnswer, SourceGetOptions, SourceHttp } from './source-http.ts';

/** Responses up to this total size are kept in addition to the last one. Others are requested again. */
const maxKeptBytes = 2 * 1024 * 1024;

/**
 * Lets jobs with the same `sharedRequestKey`, organization and credential be run over one set of requests: each job gets
 * its own `SourceHttp` from `forJob`, and the same question gets the answer that is there already, or the same error.
 * Requests are sent one after another. Drop it when the last of them has run.
 */
export function shareAnswers(http: SourceHttp): { forJob(): SourceHttp } {
  const answers = new Map<string, Promise<SourceAnswer>>();
  let keptBytes = 0;
  let last: Promise<unknown> = Promise.resolve();

  /** The answer, whose body `http` gives up when something else is asked for; what is small is copied before. */
  async function ask(key: string, url: string, options: SourceGetOptions): Promise<SourceAnswer> {
    try {
      const answer = await http.get(url, options);
      if (keptBytes + answer.body.bytes > maxKeptBytes) return answer;
      keptBytes += answer.body.bytes;
      return { ...answer, body: copyOf(answer.body) };
    } catch (error) {
      // Another job can have another deadline. An abort isn't a response of the host.
      if (!(error instanceof Error) || error.name !== 'RunError') answers.delete(key);
      throw error;
    }
  }

  function forJob(): SourceHttp {
    const usage = { requests: 0, waitedMs: 0 };

    async function get(url: string, options: SourceGetOptions): Promise<SourceAnswer> {
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
        if (!isGivenUp(known.body)) return { ...known, body: copyOf(known.body), cost: nothing };
        if (answers.get(key) === pending) answers.delete(key);
      }
      const asking = last.then(() => ask(key, url, options));
      last = asking.catch(() => undefined);
      answers.set(key, asking);
      const answer = await asking;
      usage.requests += answer.cost.requests;
      usage.waitedMs += answer.cost.waitedMs;
      return { ...answer, body: copyOf(answer.body) };
    }

    return { schemeFor: (host) => http.schemeFor(host), get, usage, end: () => undefined };
  }

  return { forJob };
}

const nothing = { requests: 0, waitedMs: 0 };

/** The same pieces for another reader, which can't remove them for the others. */
function copyOf({ bytes, pieces }: SourceBody): SourceBody {
  const own = [...pieces];
  return { bytes, pieces: own, free: () => void (own.length = 0) };
}

function isGivenUp({ bytes, pieces }: SourceBody): boolean {
  return bytes > 0 && pieces.length === 0;
}
