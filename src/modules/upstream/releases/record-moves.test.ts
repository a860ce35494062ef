import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { setClockOffset } from '../../../../tests/helpers/database.ts';
import {
  createUpstreamFixture,
  type Item,
  inParts,
  item,
} from '../../../../tests/helpers/upstream-fixture.ts';
import { startFakeGitea } from '../../../../tests/helpers/upstreams/fake-gitea.ts';
import { type FakeRelease, startFakeGithub } from '../../../../tests/helpers/upstreams/fake-github.ts';
import { startFakeGitlab } from '../../../../tests/helpers/upstreams/fake-gitlab.ts';
import {
  startFakeHelmRepository,
  writeHelmIndex,
} from '../../../../tests/helpers/upstreams/fake-helm-repository.ts';
import { startFakeOciRegistry } from '../../../../tests/helpers/upstreams/fake-oci-registry.ts';
import {
  gatherFrom,
  testSourceContext,
  toSourceBody,
} from '../../../../tests/helpers/upstreams/gather-from.ts';
import type { ReleaseMovedEventData } from '../../../domain/routing/notification-event.ts';
import type { GatheredSourceTypeId } from '../../../domain/source-types/source-types.ts';
import { type Database, transaction } from '../../../platform/database/index.ts';
import { claimDueRows } from '../../../platform/due-rows/index.ts';
import { createSilentLog } from '../../../platform/log.ts';
import { createTestBench } from '../../../platform/outbound/outbound-test-servers.ts';
import type { ReleaseSource } from '../../../sources/release-source.ts';
import { sources } from '../../../sources/sources.ts';
import { recordReleases } from './record-releases.ts';
import {
  type DueReport,
  dueReleaseMovesTable,
  reportMovedReleases,
  startMovedReleasesLoop,
} from './report-moved-releases.ts';

const {
  db,
  connectAgain,
  recordDeps,
  call,
  createOrganization,
  createJob,
  createConfig,
  record,
  storedReleases,
  storedJob,
} = await createUpstreamFixture();
const otherServer = await connectAgain();

const bench = createTestBench();
const running: { close(): Promise<void> }[] = [];
let organizationId: number;
beforeEach(async () => {
  organizationId = await createOrganization();
});
afterEach(async () => {
  await setClockOffset(db, '0');
  await bench.close();
  for (const server of running.splice(0)) await server.close();
});

type Job = { organizationId: number; jobId: number };
type Event = Omit<ReleaseMovedEventData['release'], 'url'>;

const commit = (letter: string) => letter.repeat(40);
const digest = (letter: string) => `sha256:${letter.repeat(64)}`;

const claimReports = (server: Database = db) =>
  claimDueRows<DueReport>(server, dueReleaseMovesTable, { limit: 10, leaseMs: 60_000 });

/** Claims and sends reports until none is due. */
async function sendReports(server: Database = db): Promise<void> {
  for (;;) {
    const claims = await claimReports(server);
    if (claims.length === 0) return;
    await transaction(server, (tx) => reportMovedReleases(tx, claims));
  }
}

/** Reports all changes and returns the events of an organization, oldest first. */
async function eventsOf(of = organizationId): Promise<Event[]> {
  await sendReports();
  return storedEventsOf(of);
}

async function storedEventsOf(of: number): Promise<Event[]> {
  const { rows } = await sql<{ data: { release: Event } }>`
    SELECT data FROM audit_entries WHERE organization_id = ${of} AND event_type = 'release.moved' ORDER BY id`.execute(
    db,
  );
  return rows.map(({ data }) => data.release);
}

async function habitsOf(job: Job): Promise<Record<string, string | null>> {
  const moved = (await storedReleases(job)).filter(({ moved_from }) => moved_from !== null);
  return Object.fromEntries(moved.map(({ tag, move_habit }) => [tag, move_habit]));
}

/**
 * A tag, and the letter that its commit or digest consists of. Without a letter, the source reports no commit
 * or digest.
 */
type Tags = Record<string, string | null>;

/** A source whose tags a test changes. */
interface World {
  artifactName: string;
  setTags(tags: Tags): void;
  options?: { listTags(): Promise<ReturnType<typeof toSourceBody>> };
}

const toReleases = (tags: Tags): FakeRelease[] =>
  Object.entries(tags).map(([tag, letter]) => ({
    tag,
    publishedAt: '2026-01-01T00:00:00Z',
    ...(letter !== null && { commit: commit(letter) }),
  }));

const worlds: Record<string, { sourceType: GatheredSourceTypeId; start(): Promise<World> }> = {
  'GitHub releases': {
    sourceType: 'github_releases',
    async start() {
      const server = await startFakeGithub();
      running.push(server);
      return {
        artifactName: `${server.host}/acme/app`,
        setTags: (tags) => server.repositories.set('acme/app', toReleases(tags)),
      };
    },
  },
  'GitLab releases': {
    sourceType: 'gitlab_releases',
    async start() {
      const server = await startFakeGitlab();
      running.push(server);
      return {
        artifactName: `${server.host}/acme/app`,
        setTags: (tags) =>
          server.projects.set(
            'acme/app',
            toReleases(tags).map(({ publishedAt, ...release }) => ({ releasedAt: publishedAt!, ...release })),
          ),
      };
    },
  },
  'Gitea releases': {
    sourceType: 'gitea_releases',
    async start() {
      const server = await startFakeGitea();
      running.push(server);
      return {
        artifactName: `${server.host}/acme/app`,
        setTags: (tags) => server.repositories.set('acme/app', toReleases(tags)),
      };
    },
  },
  'Git tags': {
    sourceType: 'git_tags',
    async start() {
      let list = '';
      return {
        artifactName: 'https://git.example.com/acme/app.git',
        options: { listTags: async () => toSourceBody(`\n${list}`) },
        // Every tag is annotated and gets a new tag object each time, as if it were signed again.
        setTags(tags) {
          list = Object.entries(tags)
            .map(([tag, letter]) => {
              const object = `${Math.random()}`.slice(2, 12).padEnd(40, '0');
              const peeled = letter === null ? '' : `${commit(letter)}\trefs/tags/${tag}^{}\n`;
              return letter === null ? `?\trefs/tags/${tag}\n` : `${object}\trefs/tags/${tag}\n${peeled}`;
            })
            .join('');
        },
      };
    },
  },
  'OCI tags': {
    sourceType: 'oci_registry',
    async start() {
      const server = await startFakeOciRegistry();
      running.push(server);
      return {
        artifactName: `${server.host}/acme/app`,
        setTags: (tags) =>
          server.images.set('acme/app', {
            tags: Object.keys(tags),
            digests: new Map(
              Object.entries(tags).flatMap(([tag, letter]) =>
                letter === null ? [] : [[tag, digest(letter)]],
              ),
            ),
          }),
      };
    },
  },
  'charts of a Helm repository': {
    sourceType: 'helm_repository',
    async start() {
      const server = await startFakeHelmRepository();
      running.push(server);
      return {
        artifactName: `${server.host}/charts/app`,
        setTags: (tags) =>
          server.indexes.set(
            '/charts',
            writeHelmIndex({
              app: Object.entries(tags).map(([version, letter]) => ({
                version,
                ...(letter !== null && { digest: letter.repeat(64) }),
              })),
            }),
          ),
      };
    },
  },
};

/** Creates a job and a function that checks its source, as a full run of an agent does. */
async function follow(name: string) {
  const { sourceType, start } = worlds[name]!;
  const world = await start();
  const job = await createJob(organizationId, {
    source_type: sourceType,
    artifact_name: world.artifactName,
    version_scheme: sourceType === 'helm_repository' ? 'semver' : 'auto',
  });
  const source: ReleaseSource = sources[sourceType];
  async function check(tags: Tags): Promise<void> {
    world.setTags(tags);
    const known = (await storedReleases(job)).map(({ tag }) => tag);
    const request = { knownTags: known, isFull: true, readsDigests: true, readsCommits: true };
    if (world.options) {
      const context = {
        ...testSourceContext({ client: bench.client(), insecureHosts: [] }),
        git: world.options,
      };
      const run = source.gather(
        { ...request, artifactName: world.artifactName, sourceOptions: {}, validators: null },
        context,
      );
      const items: Item[] = [];
      for await (const { releases } of run) items.push(...releases);
      await record(job, items);
      return;
    }
    const { releases, summary } = await gatherFrom(source, world.artifactName, {
      ...request,
      client: bench.client({ allow: ['127.0.0.1/32'], allowHttp: (host) => host === '127.0.0.1' }),
      insecureHosts: ['127.0.0.1', new URL(`http://${world.artifactName}`).host],
    });
    await record(job, releases, { isCompleteList: summary.isCompleteList });
  }
  return { job, check, kind: ['oci_registry', 'helm_repository'].includes(sourceType) ? 'digest' : 'commit' };
}

describe.each(Object.keys(worlds))('%s', (name) => {
  const valueOf = (kind: string, letter: string) => (kind === 'digest' ? digest(letter) : commit(letter));

  test('a version that moves is reported once, at the next check', async () => {
    const { job, check, kind } = await follow(name);
    await check({ '1.2.4': 'b', '1.2.3': 'a' });
    await check({ '1.2.4': 'b', '1.2.3': 'a' });
    expect(await eventsOf()).toEqual([]);
    await check({ '1.2.4': 'b', '1.2.3': 'e' });
    await check({ '1.2.4': 'b', '1.2.3': 'e' });
    const events = await eventsOf();
    expect(events).toEqual([
      {
        id: expect.any(Number),
        artifact_name: (await storedJob(job)).artifact_name,
        version: '1.2.3',
        kind,
        from: valueOf(kind, 'a'),
        to: valueOf(kind, 'e'),
        noticed_at: expect.any(String),
        other_count: 0,
        others: null,
        place_count: 0,
        places: null,
      },
    ]);
    const {
      move,
      commit: storedCommit,
      digest: storedDigest,
    } = await call('getRelease', organizationId, {
      path: { id: events[0]!.id },
    });
    expect(move).toEqual({
      from: valueOf(kind, 'a'),
      to: valueOf(kind, 'e'),
      noticed_at: events[0]!.noticed_at,
      habit: null,
    });
    expect(kind === 'digest' ? storedDigest : storedCommit).toBe(valueOf(kind, 'e'));
  });

  test('a version whose commit or digest becomes known, or is unknown for a while, has not moved', async () => {
    const { job, check } = await follow(name);
    await check({ '1.2.4': 'b', '1.2.3': null });
    await check({ '1.2.4': 'b', '1.2.3': 'a' });
    await check({ '1.2.4': null, '1.2.3': null });
    await check({ '1.2.4': 'b', '1.2.3': 'a' });
    expect(await eventsOf()).toEqual([]);
    expect(await habitsOf(job)).toEqual({});
  });

  test('a version that was deleted and published again with other content has moved', async () => {
    const { check, kind } = await follow(name);
    await check({ '1.2.4': 'b', '1.2.3': 'a' });
    await check({ '1.2.4': 'b' });
    await check({ '1.2.4': 'b', '1.2.3': 'e' });
    expect(await eventsOf()).toMatchObject([{ version: '1.2.3', to: valueOf(kind, 'e') }]);
  });

  test('all versions that move in one run are reported together', async () => {
    const { check } = await follow(name);
    const tags = (letter: (index: number) => string): Tags =>
      Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`1.${index}.0`, letter(index)]));
    await check(tags((index) => `${index}`));
    await check(tags(() => 'e'));
    const events = await eventsOf();
    expect(events).toMatchObject([{ version: '1.8.0', other_count: 8 }]);
    expect(events[0]!.others?.split('\n').map((line) => line.split(':')[0])).toEqual([
      '1.7.0',
      '1.6.0',
      '1.5.0',
      '1.4.0',
      '1.3.0',
    ]);
  });
});

describe('expected moves', () => {
  test.each([
    ['GitHub releases', { v4: 'a', 'v4.1.2': 'a' }, { v4: 'b', 'v4.2.0': 'b', 'v4.1.2': 'a' }, ['v4']],
    ['GitHub releases', { v5: 'a', 'v4.1.2': 'c' }, { v5: 'b', 'v4.1.2': 'c' }, ['v5']],
    [
      'Gitea releases',
      { 'v1.2': 'a', 'v1.2.3': 'a' },
      { 'v1.2': 'b', 'v1.2.4': 'b', 'v1.2.3': 'a' },
      ['v1.2'],
    ],
    [
      'Git tags',
      { nightly: 'a', main: 'a', '1.0.0': 'c' },
      { nightly: 'b', main: 'b', '1.0.0': 'c' },
      ['main', 'nightly'],
    ],
    [
      'OCI tags',
      { latest: 'a', '1.2': 'a', '1.2.3': 'a' },
      { latest: 'b', '1.2': 'b', '1.2.4': 'b', '1.2.3': 'a' },
      ['1.2'],
    ],
    [
      'OCI tags',
      { '1.2.3': 'a', '1.2.3-r1': 'a' },
      { '1.2.3': 'b', '1.2.3-r2': 'b', '1.2.3-r1': 'a' },
      ['1.2.3'],
    ],
  ] as const)('%s: tags that move with releases cause no event: %j', async (name, before, after, moved) => {
    const { job, check } = await follow(name);
    await check(before);
    await check(after as Tags);
    expect(await eventsOf()).toEqual([]);
    expect(await habitsOf(job)).toEqual(Object.fromEntries(moved.map((tag) => [tag, 'moving_tag'])));
  });

  test('a Git tag such as 1.2.3-1, which adds only a package revision, does not make 1.2.3 a moving tag', async () => {
    const { check } = await follow('Git tags');
    await check({ '1.2.3': 'a', '1.2.3-1': 'b' });
    await check({ '1.2.3': 'e', '1.2.3-1': 'b' });
    expect(await eventsOf()).toMatchObject([{ version: '1.2.3' }]);
  });

  test('a moving tag that moves together with a version is part of the report', async () => {
    const { job, check } = await follow('GitHub releases');
    await createConfig(organizationId, job, { latest: 'v4' });
    await check({ v4: 'a', 'v4.1.2': 'a', 'v4.1.1': 'b' });
    await check({ v4: 'e', 'v4.1.2': 'e', 'v4.1.1': 'e' });
    expect(await eventsOf()).toMatchObject([
      { version: 'v4', other_count: 2, place_count: 1, places: 'config: v4' },
    ]);
  });

  test.each([
    ['docker.io/library/nginx', null],
    ['public.ecr.aws/docker/library/nginx', null],
    ['registry.example.com/hub/library/nginx', 'docker.io/library/nginx'],
  ])('rebuilds of official Docker images are expected: %s', async (artifactName, mirrorOf) => {
    const job = await createJob(organizationId, { source_type: 'oci_registry', artifact_name: artifactName });
    await sql`UPDATE gather_jobs SET mirror_of = ${mirrorOf} WHERE id = ${job.jobId}`.execute(db);
    await record(job, [item('1.25.3', { digest: digest('a') })]);
    await record(job, [item('1.25.3', { digest: digest('b') })]);
    expect(await eventsOf()).toEqual([]);
    expect(await habitsOf(job)).toEqual({ '1.25.3': 'official_image' });
  });

  const rebuild = (job: Job, day: number) => {
    const letter = (day % 16).toString(16);
    return record(job, [
      item('1.1.0', { digest: digest(letter) }),
      item('1.0.0', { digest: digest(day % 2 === 0 ? 'a' : 'b') }),
    ]);
  };

  test('rebuilds of an image are expected after rebuilds on three days, until 90 days pass without a rebuild', async () => {
    const job = await createJob(organizationId, {
      source_type: 'oci_registry',
      artifact_name: 'ghcr.io/a/b',
    });
    for (let day = 0; day <= 3; day += 1) {
      await setClockOffset(db, `${day} days`);
      await rebuild(job, day);
    }
    expect(await eventsOf()).toHaveLength(3);
    for (let day = 4; day <= 8; day += 1) {
      await setClockOffset(db, `${day} days`);
      await rebuild(job, day);
    }
    expect(await eventsOf()).toHaveLength(3);
    expect(await habitsOf(job)).toEqual({ '1.0.0': 'observed', '1.1.0': 'observed' });
    await setClockOffset(db, '99 days');
    await rebuild(job, 9);
    expect(await eventsOf()).toHaveLength(4);
  });

  test('several rebuilds on one day do not make further rebuilds expected', async () => {
    const job = await createJob(organizationId, {
      source_type: 'oci_registry',
      artifact_name: 'ghcr.io/a/b',
    });
    for (let count = 0; count <= 5; count += 1) await rebuild(job, count);
    expect(await eventsOf()).toHaveLength(5);
  });

  test('a move of a commit is expected only if the same tag moved three times before', async () => {
    const job = await createJob(organizationId, { source_type: 'git_tags' });
    for (const letter of ['a', 'b', 'c', 'd'])
      await record(job, [item('1.0.0', { commit: commit(letter) }), item('1.1.0', { commit: commit('a') })]);
    expect(await eventsOf()).toHaveLength(3);
    await record(job, [item('1.0.0', { commit: commit('e') }), item('1.1.0', { commit: commit('e') })]);
    expect((await eventsOf()).slice(3)).toMatchObject([{ version: '1.1.0', other_count: 0 }]);
    expect(await habitsOf(job)).toEqual({ '1.0.0': 'observed', '1.1.0': null });
  });
});

describe('values that cannot be compared', () => {
  test('a commit or digest of another hash function is not a move', async () => {
    const job = await createJob(organizationId, { source_type: 'git_tags' });
    await record(job, [item('1.0.0', { commit: 'a'.repeat(40) }), item('1.1.0', { digest: digest('a') })]);
    await record(job, [
      item('1.0.0', { commit: 'b'.repeat(64) }),
      item('1.1.0', { digest: `sha512:${'b'.repeat(128)}` }),
    ]);
    expect(await eventsOf()).toEqual([]);
  });

  test('a commit and a digest are never compared with each other', async () => {
    const job = await createJob(organizationId, { source_type: 'git_tags' });
    await record(job, [item('1.0.0', { commit: commit('a') })]);
    await record(job, [item('1.0.0', { digest: digest('b') })]);
    expect(await eventsOf()).toEqual([]);
  });

  test.each([
    ['artifact', { artifact_name: 'github.com/other/fork' }],
    ['source type', { source_type: 'gitea_releases', artifact_name: 'codeberg.org/acme/app' }],
  ])('after the %s of the job was changed, all releases count as new', async (_, change) => {
    const body = { name: 'app', source_type: 'github_releases', artifact_name: 'github.com/acme/app' };
    const { id } = await call('createGatherJob', organizationId, { body });
    const job = { organizationId, jobId: id };
    await record(job, [item('1.0.0', { commit: commit('a') })]);
    await call('updateGatherJob', organizationId, { path: { id }, body: change });
    await record(job, [item('1.0.0', { commit: commit('b') })]);
    expect(await eventsOf()).toEqual([]);
    expect(await habitsOf(job)).toEqual({});
  });

  test('cleared releases count as new', async () => {
    const job = await createJob(organizationId);
    await record(job, [item('1.0.0', { commit: commit('a') })]);
    await call('clearGatherJobReleases', organizationId, { path: { id: job.jobId } });
    await record(job, [item('1.0.0', { commit: commit('b') })]);
    expect(await eventsOf()).toEqual([]);
  });
});

describe('reports', () => {
  const before = [item('1.1.0', { commit: commit('a') }), item('1.0.0', { commit: commit('b') })];
  const after = [item('1.1.0', { commit: commit('e') }), item('1.0.0', { commit: commit('f') })];

  test('two servers that notice a change at the same time send one event', async () => {
    const job = await createJob(organizationId);
    await record(job, before);
    const outcome = { isCompleteList: true, validators: null };
    await Promise.all(
      [db, otherServer].map((server) =>
        transaction(server, (tx) => recordReleases(tx, recordDeps, job, inParts(after, 10), outcome)),
      ),
    );
    await Promise.all([db, otherServer].map(sendReports));
    expect(await eventsOf()).toHaveLength(1);
  });

  test('no event is lost if a server stops before, between, or during its steps', async () => {
    const job = await createJob(organizationId);
    await record(job, before);
    const stop = new Error('the server stops');
    const recordAndStop = transaction(db, async (tx) => {
      await recordReleases(tx, recordDeps, job, inParts(after, 10), {
        isCompleteList: true,
        validators: null,
      });
      throw stop;
    });
    await expect(recordAndStop).rejects.toBe(stop);
    await record(job, after);
    const claims = await claimReports();
    expect(claims).toHaveLength(1);
    const reportAndStop = transaction(db, async (tx) => {
      await reportMovedReleases(tx, claims);
      throw stop;
    });
    await expect(reportAndStop).rejects.toBe(stop);
    await setClockOffset(db, '2 minutes');
    // Retention can delete the releases in the meantime.
    await sql`DELETE FROM releases WHERE gather_job_id = ${job.jobId}`.execute(db);
    expect(await eventsOf()).toMatchObject([{ version: '1.1.0', other_count: 1 }]);
  });

  test('a server whose lease has ended sends no event that another server has claimed', async () => {
    const job = await createJob(organizationId);
    await record(job, before);
    await record(job, after);
    const claims = await claimReports();
    await setClockOffset(db, '2 minutes');
    const later = await claimReports(otherServer);
    expect(later).toHaveLength(1);
    await transaction(db, (tx) => reportMovedReleases(tx, claims));
    expect(await storedEventsOf(organizationId)).toEqual([]);
    await transaction(otherServer, (tx) => reportMovedReleases(tx, later));
    expect(await storedEventsOf(organizationId)).toHaveLength(1);
  });

  test('a report that always fails is retried later, and the others are sent without it', async () => {
    const broken = await createJob(organizationId);
    // A report without releases has no subject, so its handling fails.
    await sql`
      INSERT INTO release_moves (organization_id, gather_job_id, artifact_name, noticed_at, releases, release_count, due_at)
      VALUES (${organizationId}, ${broken.jobId}, 'broken', pacekeeper_now(), '[]', 0, pacekeeper_now())`.execute(
      db,
    );
    const job = await createJob(organizationId);
    await record(job, before);
    await record(job, after);
    const loop = startMovedReleasesLoop({ db, log: createSilentLog() });
    try {
      await expect.poll(() => storedEventsOf(organizationId), { timeout: 60_000 }).toHaveLength(1);
    } finally {
      await loop.stop();
    }
    const { rows } = await sql`
      SELECT artifact_name, attempts > 0 AS is_counted, due_at > noticed_at AS is_later, lease_token FROM release_moves`.execute(
      db,
    );
    expect(rows).toEqual([{ artifact_name: 'broken', is_counted: true, is_later: true, lease_token: null }]);
    await sql`DELETE FROM release_moves`.execute(db);
  });

  test('contain the artifact name that the job had when the version changed', async () => {
    const job = await createJob(organizationId);
    await record(job, before);
    await record(job, after);
    const body = { artifact_name: 'github.com/other/repo' };
    await call('updateGatherJob', organizationId, { path: { id: job.jobId }, body });
    expect(await eventsOf()).toMatchObject([{ artifact_name: 'github.com/owner/repo' }]);
  });

  test('list a deployed version first, and count the monitors that use a changed version', async () => {
    const job = await createJob(organizationId);
    await record(job, before);
    for (let count = 0; count < 7; count += 1) await createConfig(organizationId, job, { latest: '1.0.0' });
    await createConfig(organizationId, job, { latest: '0.9.0' });
    await record(job, after);
    const [event] = await eventsOf();
    expect(event).toMatchObject({ version: '1.0.0', place_count: 7 });
    expect(event!.places).toBe(Array.from({ length: 5 }, () => 'config: 1.0.0').join('\n'));
    expect(event!.others).toBe(`1.1.0: ${'a'.repeat(12)} → ${'e'.repeat(12)}`);
  });

  test('of a global job go to each organization that compares versions with it, with its own monitors', async () => {
    const job = await createJob(1);
    await record(job, before);
    const [one, two, none] = [organizationId, await createOrganization(), await createOrganization()];
    await createConfig(one, job, { latest: '1.0.0' });
    await createConfig(two, job, { latest: '0.1.0' });
    await record(job, after);
    expect(await eventsOf(one)).toMatchObject([{ version: '1.0.0', place_count: 1 }]);
    expect(await eventsOf(two)).toMatchObject([{ version: '1.1.0', place_count: 0 }]);
    expect(await eventsOf(none)).toEqual([]);
  });
});

test('an unchanged list costs no additional statement', async () => {
  const job = await createJob(organizationId);
  const list = [item('1.1.0', { commit: commit('a') }), item('1.0.0', { digest: digest('b') })];
  await record(job, list);
  const versions = async () =>
    (
      await sql<{ xmin: string }>`
        SELECT xmin::text FROM releases WHERE gather_job_id = ${job.jobId} ORDER BY id`.execute(db)
    ).rows;
  const stored = await versions();
  await record(job, list);
  expect(await versions()).toEqual(stored);
});
