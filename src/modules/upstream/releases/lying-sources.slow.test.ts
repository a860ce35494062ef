import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { localNetwork } from '../../../../tests/helpers/local-network.ts';
import { createUpstreamFixture } from '../../../../tests/helpers/upstream-fixture.ts';
import { writeHelmIndex } from '../../../../tests/helpers/upstreams/fake-helm-repository.ts';
import { gatherFrom } from '../../../../tests/helpers/upstreams/gather-from.ts';
import { startUpstreamServer } from '../../../../tests/helpers/upstreams/upstream-server.ts';
import { RunError } from '../../../domain/runs/run-error.ts';
import { openOutbound } from '../../../platform/outbound/index.ts';
import { helmRepository } from '../../../sources/helm-repository.ts';
import { ociRegistry } from '../../../sources/oci-registry.ts';

const { createOrganization, createJob, record, storedReleases, storedJob } = await createUpstreamFixture();
const { client } = openOutbound(localNetwork, { userAgent: 'Pacekeeper/test' });

/** Wrong behavior of a server for one request. */
const lies = [
  'cut',
  'slow',
  'rate limit',
  'bad gateway',
  'empty',
  'web page',
  'half',
  'wrong link',
  'no link',
  'first page again',
  'rebuilt',
] as const;
type Lie = (typeof lies)[number];

interface Step {
  /** Minor version numbers that are published and removed before the run. */
  published: number[];
  removed: number[];
  /** Behavior for the requests of the run, one after another. */
  behavior: (Lie | null)[];
}

const steps = fc.array(
  fc.record({
    published: fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 40 }),
    removed: fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 10 }),
    behavior: fc.array(fc.option(fc.constantFrom(...lies), { freq: 2 }), { minLength: 1, maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 8 },
);

const pageSize = 25;
const dayMs = 86_400_000;
const dateOf = (minor: number) => new Date(Date.UTC(2024, 0, 1) + minor * dayMs).toISOString();
const tagOf = (minor: number) => `1.${minor}.0`;

let truth: number[] = [];
let behavior: (Lie | null)[] = [];
let requests = 0;

const server = await startUpstreamServer((_request, response, url) => {
  const lie = behavior[requests % Math.max(1, behavior.length)] ?? null;
  requests += 1;
  if (lie === 'slow') return void setTimeout(() => response.destroy(), 1_000);
  if (lie === 'rate limit') return void response.writeHead(429, { 'retry-after': '60' }).end();
  if (lie === 'bad gateway') return void response.writeHead(502).end('<html>Bad gateway</html>');
  if (lie === 'empty') return void response.writeHead(200).end();
  if (lie === 'web page') return void response.writeHead(200).end('<!DOCTYPE html><html>Sign in</html>');
  if (url.pathname === '/charts/index.yaml') return send(response, writeIndex(lie), {}, lie);
  if (url.pathname === '/v2/team/app/tags/list') return sendTags(response, url, lie);
  response.writeHead(404).end();
});
afterAll(() => Promise.all([server.close(), client.close()]));

function writeIndex(lie: Lie | null): string {
  // An index that is built again has the time of the build as the date of all its entries.
  const created = (minor: number) => (lie === 'rebuilt' ? '2026-06-01T00:00:00Z' : dateOf(minor));
  return writeHelmIndex({
    app: truth.toReversed().map((minor) => ({ version: tagOf(minor), created: created(minor) })),
  });
}

function sendTags(response: ServerResponse, url: URL, lie: Lie | null): void {
  const tags = truth.map(tagOf).toSorted();
  const last = lie === 'first page again' ? '' : (url.searchParams.get('last') ?? '');
  const rest = tags.filter((tag) => tag > last);
  const page = rest.slice(0, Math.min(pageSize, Number(url.searchParams.get('n') ?? pageSize)));
  const path = lie === 'wrong link' ? '/wrong/list' : url.pathname;
  const hasLink = rest.length > page.length && lie !== 'no link';
  const link = hasLink ? { link: `<${path}?n=${pageSize}&last=${page.at(-1)}>; rel="next"` } : {};
  send(response, JSON.stringify({ name: 'team/app', tags: page }), link, lie);
}

function send(response: ServerResponse, text: string, headers: object, lie: Lie | null): void {
  // Cut at the end of a line, so that half of an index is valid YAML.
  const half = text.slice(0, text.indexOf('\n', text.length / 2) + 1 || text.length / 2);
  const body = lie === 'half' ? half : text;
  response.writeHead(200, { 'content-length': Buffer.byteLength(body), ...headers });
  if (lie !== 'cut') return void response.end(body);
  response.write(body.slice(0, body.length / 2), () => response.destroy());
}

const sources = {
  registry: { source: ociRegistry, name: 'team/app', hasDates: false },
  'Helm repository': { source: helmRepository, name: 'charts/app', hasDates: true },
} as const;

type Job = Awaited<ReturnType<typeof createJob>>;

/**
 * Runs a job once, as an agent and the server do.
 * @returns True if the run succeeded.
 */
async function run(job: Job, { source, name }: (typeof sources)[keyof typeof sources]): Promise<boolean> {
  requests = 0;
  const known = await storedReleases(job);
  try {
    const { releases, summary } = await gatherFrom(source, `${server.host}/${name}`, {
      client,
      insecureHosts: ['127.0.0.1'],
      isFull: true,
      checksComplete: true,
      maxTimeoutMs: 300,
      knownTags: known.filter(({ is_withdrawn }) => !is_withdrawn).map(({ tag }) => tag),
    });
    await record(job, releases, { isCompleteList: summary.isCompleteList, listCut: summary.listCut });
    return true;
  } catch (error) {
    // An unexpected error isn't a failed run.
    if (!(error instanceof RunError)) throw error;
    expect(error.code).not.toBe('internal');
    return false;
  }
}

function highestOf(stored: readonly { tag: string; is_withdrawn: boolean }[]): number {
  return Math.max(
    ...stored.filter(({ is_withdrawn }) => !is_withdrawn).map(({ tag }) => Number(tag.split('.')[1])),
  );
}

describe.each(Object.keys(sources) as (keyof typeof sources)[])('a %s with wrong responses', (kind) => {
  test('causes no wrongly withdrawn releases and no list wrongly marked as complete, and its list is correct after two more runs', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (given: Step[]) => {
        const job = await createJob(await createOrganization(), {
          source_type: sources[kind].source.sourceType,
          artifact_name: `${server.host}/${sources[kind].name}`,
        });
        truth = [0];
        /** Tags that the list lacked during an earlier run. */
        const missing = new Set<string>();
        for (const step of given) {
          const removed = new Set(step.removed);
          const next = new Set([...truth.filter((minor) => !removed.has(minor)), ...step.published]);
          truth = [...(next.size === 0 ? [0] : next)].toSorted((a, b) => a - b);
          behavior = step.behavior;
          const hasRun = await run(job, sources[kind]);
          const stored = await storedReleases(job);
          const listed = new Set(truth.map(tagOf));
          for (const { tag } of stored) if (!listed.has(tag)) missing.add(tag);
          const withdrawn = stored.filter(({ is_withdrawn }) => is_withdrawn).map(({ tag }) => tag);
          expect(withdrawn.filter((tag) => !missing.has(tag))).toEqual([]);
          const { list_completeness: completeness } = await storedJob(job);
          // Only a list that contains the newest releases can confirm that a deployed version is up to date.
          if (hasRun && (completeness === 'complete' || completeness === 'complete_at_top'))
            expect(highestOf(stored)).toBeGreaterThanOrEqual(truth.at(-1)!);
        }
        behavior = [];
        expect(await run(job, sources[kind])).toBe(true);
        expect(await run(job, sources[kind])).toBe(true);
        const stored = await storedReleases(job);
        const listed = stored.filter(({ is_withdrawn }) => !is_withdrawn);
        expect(listed.map(({ tag }) => tag).toSorted()).toEqual(truth.map(tagOf).toSorted());
        expect((await storedJob(job)).list_completeness).toBe('complete');
        if (!sources[kind].hasDates) return;
        expect(
          Object.fromEntries(listed.map(({ tag, released_at }) => [tag, released_at?.toISOString()])),
        ).toEqual(Object.fromEntries(truth.map((minor) => [tagOf(minor), dateOf(minor)])));
      }),
      { numRuns: 30 },
    );
  });
});
