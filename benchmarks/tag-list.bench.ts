/**
 * Measures the memory that the embedded agent uses to read a list of 200,000 tags of an OCI registry. The
 * agent runs in a thread with its usual memory limits, inside a separate process whose peak memory the
 * operating system reports. The reference is the same process with a list of one tag. Sandbox processes parse
 * the pages; `with sandbox` is the peak memory of all processes together. The registry runs in a separate
 * process. Run with `node benchmarks/tag-list.bench.ts`; goal: at most 150 MB for the process of the agent.
 *
 * Last table (2 cores shared with other processes):
 *
 * | tags | on a page | requests | peak MB |
 * |--------:|----------:|---------:|--------:|
 * | 1 | 100 | 2 | 98 |
 * | 200,000 | 100 | 2,001 | 141 |
 * | 200,000 | 1,000 | 201 | 151 |
 * | 200,000 | 200,000 | 2 | 157 |
 */
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';

const tagCount = 200_000;
/** Returns a tag with the typical parts of registries: a version, a variant, and a build. */
const tagOf = (index: number) =>
  `${index >> 10}.${(index >> 4) & 63}.${index & 15}-alpine3.18-build.${index}`;
/**
 * Page sizes to measure. Docker Hub, GHCR, and Quay return a hundred or a thousand tags per page; some
 * registries return all in one page.
 */
const pageSizes = [100, 1_000, tagCount];
const file = fileURLToPath(import.meta.url);
/** The same limits as in `embedded-agent.ts`. */
const agentLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 8 };

async function main() {
  const registry = fork(file, ['registry']);
  const [port] = (await once(registry, 'message')) as [number];
  const folder = mkdtempSync(join(tmpdir(), 'pacekeeper-bench-'));
  // Use a compile cache, because from its second start on, the agent also runs compiled code instead of TypeScript.
  const env = { ...process.env, NODE_COMPILE_CACHE: folder };
  const readInChild = async (path: string) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [file, 'thread', `127.0.0.1:${port}/${path}`],
      { env },
    );
    return JSON.parse(stdout);
  };
  try {
    await readInChild('tags-1/page-100');
    const rows = [];
    for (const [count, pageSize] of [[1, 100], ...pageSizes.map((size) => [tagCount, size])] as const) {
      const { found, requests, seconds, peakMb, peakOfAllMb } = await readInChild(
        `tags-${count}/page-${pageSize}`,
      );
      rows.push({
        tags: found,
        'on a page': pageSize,
        requests,
        seconds: Number(seconds.toFixed(1)),
        'peak MB': Math.round(peakMb),
        'with sandbox': Math.round(peakOfAllMb),
        load: Number(loadavg()[0]!.toFixed(1)),
      });
    }
    console.table(rows);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    registry.kill();
  }
}

/** Reads the tags like an agent: part by part, each converted to JSON. */
async function read(artifactName: string) {
  // Import here, so that the main thread, which only waits, doesn't load modules that would count toward the
  // memory.
  const [
    { createEgressGuard, createHttpPolicy, createOutboundClient },
    { createSandbox },
    { parseContentLimits },
    { createBodyReading },
    { ociRegistry },
    { createSourceHttp },
  ] = await Promise.all([
    import('../src/platform/outbound/index.ts'),
    import('../src/platform/sandbox/index.ts'),
    import('../src/domain/parsers/content-limits.ts'),
    import('../src/agent/body-reading.ts'),
    import('../src/sources/oci-registry.ts'),
    import('../src/sources/source-http.ts'),
  ]);
  const startedAt = performance.now();
  const allowHttp = createHttpPolicy({ insecureHosts: ['127.0.0.1'], allowHttpWebhooks: false });
  const client = createOutboundClient({ guard: createEgressGuard({ allow: ['127.0.0.1/32'] }), allowHttp });
  const { signal } = new AbortController();
  const http = createSourceHttp({ client, allowHttp, clock: () => new Date() }).forJob({
    credential: null,
    signal,
    fairKey: '2',
  });
  // The same options as in `agent-parts.ts`.
  const sandbox = createSandbox({ ...parseContentLimits, workers: 3 });
  const criteria = { version_pattern: null, version_scheme: 'auto', include_prereleases: true } as const;
  const { read } = createBodyReading(sandbox)({ fairKey: '2', signal, criteria });
  let peakOfAllMb = 0;
  const sampling = setInterval(() => (peakOfAllMb = Math.max(peakOfAllMb, memoryOfAllMb())), 20);
  const parts = ociRegistry.gather(
    { artifactName, sourceOptions: {}, validators: null, knownTags: [], isFull: true },
    { http, git: { listTags: noTags }, read, signal, now: new Date() },
  );
  let handedIn = 0;
  let part = await parts.next();
  while (!part.done) {
    handedIn += JSON.stringify(part.value.releases).length;
    part = await parts.next();
  }
  const { found, isCompleteList } = part.value;
  if (!isCompleteList || handedIn === 0) throw new Error('the list is not whole');
  clearInterval(sampling);
  await Promise.all([client.close(), sandbox.close()]);
  const seconds = (performance.now() - startedAt) / 1_000;
  // Node.js reports `maxRSS` in KiB on every platform.
  const peakMb = process.resourceUsage().maxRSS / 1_024;
  console.log(JSON.stringify({ found, requests: http.usage.requests, seconds, peakMb, peakOfAllMb }));
}

function noTags(): never {
  throw new Error('no git here');
}

/** Returns the resident memory of this process and its children on Linux, in MB. */
function memoryOfAllMb(): number {
  const sizes = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/u.test(name)) return [];
    try {
      const status = readFileSync(`/proc/${name}/status`, 'utf8');
      const [, parent] = /^PPid:\s*(\d+)/mu.exec(status) ?? [];
      const isOurs = Number(name) === process.pid || Number(parent) === process.pid;
      return isOurs ? Number(/^VmRSS:\s*(\d+)/mu.exec(status)?.[1] ?? 0) : [];
    } catch {
      // The process has exited.
      return [];
    }
  });
  return sizes.reduce((sum, size) => sum + size, 0) / 1_024;
}

/** Serves lists of tags. The name of a list contains the number of tags and the page size. */
function serveRegistry() {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [, count, size] = /^\/v2\/tags-(\d+)\/page-(\d+)\/tags\/list$/u.exec(url.pathname) ?? [];
    if (count === undefined) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"errors":[]}');
      return;
    }
    const from = Number(url.searchParams.get('at') ?? 0);
    const to = Math.min(from + Number(size), Number(count));
    const tags = Array.from({ length: to - from }, (_, index) => tagOf(from + index));
    const isLast = to >= Number(count);
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(!isLast && { link: `<${url.pathname}?at=${to}>; rel="next"` }),
    });
    response.end(JSON.stringify({ name: 'tags', tags }));
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

switch (process.argv[2]) {
  case 'registry':
    serveRegistry();
    break;
  case 'thread':
    new Worker(file, { argv: ['read', process.argv[3] ?? ''], resourceLimits: agentLimits });
    break;
  case 'read':
    await read(process.argv[3] ?? '');
    break;
  default:
    await main();
}
