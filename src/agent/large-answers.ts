import type { SourceHttp } from '../sources/source-http.ts';
import { createLimit } from './limit.ts';

/** Lists of ordinary projects are smaller. */
const largeBytes = 2 * 1024 * 1024;

/**
 * Large answers are taken one after another: read as values, 32 MiB of JSON may be 100 MB, and many at once would be
 * more than the heap of the embedded agent. What an answer has beyond 2 MiB is left on the line until its turn, which
 * ends with the run.
 */
export function createLargeAnswers() {
  const turns = createLimit(1);

  return {
    /** `end` has to be called when the run is over. */
    forRun(http: SourceHttp): { http: SourceHttp; end(): void } {
      let turn: Promise<() => void> | null = null;
      return {
        http: {
          schemeFor: (host) => http.schemeFor(host),
          open: (url, options) => http.open(url, options),
          usage: http.usage,
          async get(url, options) {
            const { body, ...head } = await http.open(url, options);
            const chunks: Uint8Array[] = [];
            let bytes = 0;
            for await (const chunk of body) {
              chunks.push(chunk);
              bytes += chunk.byteLength;
              if (bytes > largeBytes) await (turn ??= turns.enter());
            }
            return { ...head, body: Buffer.concat(chunks) };
          },
        },
        end: () => void turn?.then((leave) => leave()),
      };
    },
  };
}

export type LargeAnswers = ReturnType<typeof createLargeAnswers>;
