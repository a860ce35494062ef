/**
 * Sends one webhook to each of the given paths of an inbox, all at the same time. Prints the outcome of each
 * and the additional memory that they used compared with the same number of ordinary targets: `node
 * --expose-gc send-to-hostile-targets.ts URL TIMEOUT_MS ORDINARY_PATH PATHS`
 */
import { sendWebhook } from '../../src/modules/notifications/deliveries/send/send-webhook.ts';
import {
  createEgressGuard,
  createHttpPolicy,
  createOutboundClient,
} from '../../src/platform/outbound/index.ts';

export interface HostileReport {
  /** HTTP status or error code of each delivery, by path. */
  outcomes: Record<string, string>;
  /** Peak memory in use above the baseline, including buffers but excluding garbage. */
  heapBytes: number;
  /** Peak resident memory of the process above the baseline, including garbage. */
  rssBytes: number;
  /** Memory above the baseline that is still in use after all deliveries. */
  keptHeapBytes: number;
}

const [url = '', timeoutMs = '', ordinaryPath = '', paths = ''] = process.argv.slice(2);
const outbound = createOutboundClient({
  guard: createEgressGuard({ allow: ['127.0.0.1/32'] }),
  allowHttp: createHttpPolicy({ insecureHosts: [], allowHttpWebhooks: true }),
});
const hostilePaths = paths.split(',');

// Send to ordinary targets first, so that the measurement excludes the code, sockets, and buffers that any
// target requires.
for (let round = 0; round < 5; round++) await sendAll(hostilePaths.map(() => ordinaryPath));
const before = memory();
const peak = { ...before };
const sampling = setInterval(() => {
  peak.rss = Math.max(peak.rss, process.memoryUsage.rss());
  peak.heap = Math.max(peak.heap, memory().heap);
}, 20);
const outcomes = await sendAll(hostilePaths);
clearInterval(sampling);
const after = memory();
await outbound.close();

const report: HostileReport = {
  outcomes,
  heapBytes: peak.heap - before.heap,
  rssBytes: peak.rss - before.rss,
  keptHeapBytes: after.heap - before.heap,
};
process.stdout.write(JSON.stringify(report));

async function sendAll(all: readonly string[]): Promise<Record<string, string>> {
  const entries = await Promise.all(
    all.map(async (path) => {
      const answer = await sendWebhook(outbound, {
        method: 'POST',
        contentType: 'application/json',
        url: `${url}${path}`,
        headers: {},
        webhookId: 'msg_1',
        body: JSON.stringify({ type: 'alert.created', data: 'x'.repeat(900) }),
        at: new Date(0),
        signingSecrets: [],
        hidden: ['a secret that stays secret'],
        timeoutMs: Number(timeoutMs),
        version: '0.1.0',
      });
      return [path, String(answer.error?.code ?? answer.status)] as const;
    }),
  );
  return Object.fromEntries(entries);
}

function memory() {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}
