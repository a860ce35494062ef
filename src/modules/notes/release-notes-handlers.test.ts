import { sql } from 'kysely';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createMonitoredSoftware } from '../../../tests/helpers/monitored.ts';
import { sharedTestServer } from '../../../tests/helpers/test-server.ts';
import { lineAndVariantOf } from '../../domain/versions/match-release.ts';
import type { VersionSchemeId } from '../../domain/versions/version-scheme.ts';
import { versionScheme } from '../../domain/versions/versions.ts';
import { readNotesOfAlerts } from './notes-of-alerts.ts';

const server = await sharedTestServer();
afterEach(() => vi.restoreAllMocks());

interface StoredRelease {
  version: string;
  tag?: string;
  notes?: string | null;
  changelog_notes?: string | null;
  app_version?: string;
  is_prerelease?: boolean;
  is_yanked?: boolean;
}

async function store(
  organizationId: number,
  jobId: number,
  releases: readonly StoredRelease[],
  schemeId: VersionSchemeId = 'auto',
) {
  const scheme = versionScheme(schemeId);
  const rows = releases.map((release) => {
    const parsed = scheme.parse(release.version);
    return {
      tag: release.version,
      notes: null,
      changelog_notes: null,
      app_version: null,
      is_prerelease: parsed?.isPrerelease ?? false,
      is_yanked: false,
      ...release,
      sort_key: parsed && scheme.sortKey(parsed),
      variant: parsed ? lineAndVariantOf(parsed) : '',
    };
  });
  await sql`
    INSERT INTO releases (organization_id, gather_job_id, tag, version, sort_key, variant, app_version, released_at,
      is_prerelease, is_yanked, notes, changelog_notes, url)
    SELECT ${organizationId}, ${jobId}, tag, version, sort_key, variant, app_version, pacekeeper_now(), is_prerelease,
      is_yanked, notes, changelog_notes, 'https://example.org/' || tag
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (tag text, version text, sort_key text, variant text,
      app_version text, is_prerelease boolean, is_yanked boolean, notes text,
      changelog_notes text)`.execute(server.db);
}

async function createJob(
  { id, api }: Awaited<ReturnType<typeof server.createOrganization>>,
  source: {
    source_type: 'github_releases' | 'oci_registry' | 'helm_repository' | 'git_tags';
    artifact_name: string;
  },
  releases: readonly StoredRelease[],
): Promise<number> {
  const job = await api.call('createGatherJob', {
    body: { name: source.artifact_name, is_active: false, ...source },
  });
  await store(id, job.id, releases, job.version_scheme);
  return job.id;
}

const github = { source_type: 'github_releases', artifact_name: 'github.com/acme/web' } as const;

describe('release notes between two versions', () => {
  test('list the releases after the deployed version, highest first, with the hints found in their notes', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const { configId, gatherJobId } = await createMonitoredSoftware(server, organization, { releases: [] });
    await store(organization.id, gatherJobId, [
      { version: 'v0.9.0', notes: 'old' },
      { version: 'v1.0.0', notes: 'first' },
      { version: 'v1.1.0', notes: '- fix' },
      { version: 'v1.2.0', notes: '## Breaking changes\n- The flag `--old` is gone' },
      { version: 'v2.0.0-rc.1', notes: 'soon' },
      { version: 'v2.0.0', notes: null },
      { version: 'v1.9.0', is_yanked: true, notes: 'bad' },
      { version: 'v1.2.0-alpine', notes: 'another variant' },
      { version: 'other-v1.5.0', notes: 'another line' },
    ]);
    await sql`UPDATE gather_jobs SET releases_revision = releases_revision + 1, latest_stable_version = 'v2.0.0'
      WHERE id = ${gatherJobId}`.execute(server.db);
    await api.call('evaluateRules');

    const notes = await api.call('getAlertConfigReleaseNotes', { path: { id: configId } });
    expect(notes).toMatchObject({
      from: '1.0.0',
      to: 'v2.0.0',
      totals: { releases: 3, with_notes: 2, hints: 2 },
      compare_url: 'https://github.com/acme/web/compare/v1.0.0...v2.0.0',
      project_url: 'https://github.com/acme/web',
      is_cut: false,
    });
    expect(notes.releases.map(({ version, notes_source }) => [version, notes_source])).toEqual([
      ['v2.0.0', null],
      ['v1.2.0', 'release'],
      ['v1.1.0', 'release'],
    ]);
    expect(notes.releases.flatMap(({ hints }) => hints)).toEqual([
      { kind: 'major_version', text: 'v2.0.0', line: null },
      { kind: 'breaking', text: 'The flag --old is gone', line: 2 },
    ]);

    const path = { id: gatherJobId };
    const versions = async (query: object) =>
      (await api.call('getGatherJobReleaseNotes', { path, query })).releases.map(({ version }) => version);
    expect(await versions({ from: 'v1.1.0' })).toEqual(['v2.0.0', 'v1.2.0']);
    expect(await versions({ from: '1.1.0', include_prereleases: true, to: '2.0.0' })).toEqual([
      'v2.0.0',
      'v2.0.0-rc.1',
      'v1.2.0',
    ]);
    expect(await versions({})).toHaveLength(5);
    expect(await versions({ from: 'v2.0.0', to: 'v1.0.0' })).toEqual([]);
    expect(await versions({ from: 'main' })).toEqual([]);
  });

  test('for an image or a chart come from the releases of its project that have the same version', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    const project_url = 'https://github.com/acme/tool';
    const image = await api.call('createGatherJob', {
      body: {
        name: 'image',
        source_type: 'oci_registry',
        artifact_name: 'docker.io/acme/tool',
        is_active: false,
        project_url,
      },
    });
    await store(
      organization.id,
      image.id,
      ['1.0.0', '1.1.0', '1.1', '1.2.0', '1.1.0-alpine'].map((version) => ({ version })),
    );
    const read = (id: number, from: string, to: string) =>
      api.call('getGatherJobReleaseNotes', { path: { id }, query: { from, to } });
    const alone = await read(image.id, '1.0.0', '1.2.0');
    expect(alone).toMatchObject({ project_url, project_gather_job_id: null, compare_url: null });
    expect(alone.totals).toMatchObject({ releases: 2, read: 2, with_notes: 0, hints: 0, breaking: 0 });

    // The jobs of another organization don't affect the notes.
    const other = await server.createOrganization();
    const source = { source_type: 'github_releases', artifact_name: 'github.com/acme/tool' } as const;
    const released = [
      { version: 'v1.0.0', notes: 'a' },
      { version: 'v1.1.0', notes: '## Breaking\n- b' },
      { version: 'v1.2.0', notes: 'c' },
      { version: 'chart-1.2.0', notes: 'of the chart' },
    ];
    await createJob(other, source, released);
    expect(await read(image.id, '1.0.0', '1.2.0')).toEqual(alone);

    const project = await createJob(organization, source, released);
    await sql`UPDATE gather_jobs SET latest_stable_version = 'v1.2.0' WHERE id = ${project}`.execute(
      server.db,
    );
    const notes = await read(image.id, '1.0.0', '1.2.0');
    expect(notes).toMatchObject({
      project_url,
      project_gather_job_id: project,
      compare_url: 'https://github.com/acme/tool/compare/v1.0.0...v1.2.0',
    });
    expect(notes.releases.map((each) => [each.version, each.notes, each.notes_source])).toEqual([
      ['1.2.0', 'c', 'project'],
      ['1.1.0', '## Breaking\n- b', 'project'],
    ]);

    const chart = await api.call('createGatherJob', {
      body: {
        name: 'chart',
        source_type: 'helm_repository',
        artifact_name: 'charts.example.org/tool',
        is_active: false,
        project_url,
      },
    });
    await store(
      organization.id,
      chart.id,
      [
        { version: '5.0.0', app_version: '1.0.0' },
        { version: '5.1.0', app_version: 'v1.1.0' },
        { version: '5.1.1', app_version: 'v1.1.0' },
        { version: '6.0.0', app_version: '1.2.0' },
      ],
      chart.version_scheme,
    );
    const ofChart = await read(chart.id, '5.0.0', '6.0.0');
    expect(ofChart.releases.map((each) => [each.version, each.notes])).toEqual([
      ['6.0.0', 'c'],
      ['5.1.1', null],
      ['5.1.0', '## Breaking\n- b'],
    ]);
  });

  test('for a packaged version come from the release of its project, regardless of the package revision', async () => {
    const organization = await server.createOrganization();
    const { api } = organization;
    await createJob(
      organization,
      { source_type: 'github_releases', artifact_name: 'github.com/acme/packed' },
      [
        { version: 'v1.1.0', notes: 'one' },
        { version: 'v1.2.0', notes: 'two' },
        { version: 'v1.2.0-r2', notes: 'its own revision' },
        { version: 'v1.3.0-rc.1', notes: 'soon' },
      ],
    );
    const image = await api.call('createGatherJob', {
      body: {
        name: 'packed',
        source_type: 'oci_registry',
        artifact_name: 'docker.io/acme/packed',
        is_active: false,
        project_url: 'https://github.com/acme/packed',
      },
    });
    await store(
      organization.id,
      image.id,
      ['1.0.0', '1.1.0-r4', '1.1.0-r5', '1.2.0-r1', '1.2.0-r2', '1.3.0-r0'].map((version) => ({ version })),
    );
    await store(
      organization.id,
      image.id,
      ['1.0.0-debian-12', '1.1.0-debian-12-r3', '1.2.0-debian-12-r0'].map((version) => ({ version })),
    );
    const read = async (from: string, to: string) => {
      const path = { id: image.id };
      const { releases } = await api.call('getGatherJobReleaseNotes', { path, query: { from, to } });
      return releases.map(({ version, notes }) => [version, notes]);
    };
    expect(await read('1.0.0', '1.3.0-r0')).toEqual([
      ['1.3.0-r0', null],
      ['1.2.0-r2', 'its own revision'],
      ['1.2.0-r1', 'two'],
      ['1.1.0-r5', null],
      ['1.1.0-r4', 'one'],
    ]);
    expect(await read('1.0.0-debian-12', '1.2.0-debian-12-r0')).toEqual([
      ['1.2.0-debian-12-r0', 'two'],
      ['1.1.0-debian-12-r3', 'one'],
    ]);
  });

  test('are limited to 256 KiB in a response, but its totals include all releases', async () => {
    const organization = await server.createOrganization();
    const releases = Array.from({ length: 120 }, (_, index) => ({
      version: `1.${index}.0`,
      notes: `## Breaking\n- change ${index}\n${'x'.repeat(3_000)}`,
    }));
    const id = await createJob(organization, github, [...releases, { version: 'v1.119.0' }]);
    const notes = await organization.api.call('getGatherJobReleaseNotes', {
      path: { id },
      query: { from: '1.0.0', to: '1.119.0' },
    });
    expect(notes.totals).toEqual({
      releases: 119,
      is_exact: true,
      with_notes: 119,
      read: 119,
      hints: 119,
      breaking: 119,
    });
    expect(notes.releases).toHaveLength(100);
    expect(notes.is_cut).toBe(true);
    const shown = notes.releases.filter((release) => release.notes !== null);
    expect(shown.length).toBeGreaterThan(80);
    expect(shown.length).toBeLessThan(87);
    expect(notes.releases.at(-1)).toMatchObject({ notes: null, is_cut: true, notes_source: 'release' });
    expect(notes.releases.at(-1)!.hints).toHaveLength(1);
  });

  test('are read up to 512 KiB, and the response contains the number of releases that were read', async () => {
    const organization = await server.createOrganization();
    const releases = Array.from({ length: 150 }, (_, index) => ({
      version: `1.${index}.0`,
      // The notes of 1.52.0 are within the limit, those of 1.40.0 aren't.
      notes: `${[40, 52].includes(index) ? '## Breaking\n- change\n' : ''}${'x'.repeat(5_200)}`,
    }));
    const id = await createJob(organization, github, releases);
    const { totals } = await organization.api.call('getGatherJobReleaseNotes', {
      path: { id },
      query: { from: '1.0.0', to: '1.149.0' },
    });
    expect(totals).toEqual({
      releases: 149,
      is_exact: true,
      with_notes: 149,
      read: 100,
      hints: 1,
      breaking: 1,
    });
  });

  test('come from the changelog of the source or of its linked project if a release has no notes', async () => {
    const organization = await server.createOrganization();
    const releases = [
      { version: 'v1.0.0' },
      { version: 'v1.1.0', changelog_notes: '## Removed\n- The flag' },
      { version: 'v1.2.0', notes: 'own', changelog_notes: 'of the changelog' },
    ];
    const jobId = await createJob(organization, github, releases);
    const image = await organization.api.call('createGatherJob', {
      body: {
        name: 'Image',
        is_active: false,
        project_url: 'https://github.com/acme/web',
        source_type: 'oci_registry',
        artifact_name: 'ghcr.io/acme/web',
      },
    });
    await store(organization.id, image.id, [{ version: '1.0.0' }, { version: '1.1.0' }]);
    const read = async (id: number, to: string) => {
      const notes = await organization.api.call('getGatherJobReleaseNotes', {
        path: { id },
        query: {
          from: '1.0.0',
          to,
        },
      });
      return notes.releases.map((each) => [each.notes, each.notes_source, each.hints.length]);
    };
    expect(await read(jobId, '1.2.0')).toEqual([
      ['own', 'release', 0],
      ['## Removed\n- The flag', 'changelog', 1],
    ]);
    expect(await read(image.id, '1.1.0')).toEqual([['## Removed\n- The flag', 'project', 1]]);
  });

  test('contain new hints when the notes of a release change', async () => {
    const organization = await server.createOrganization();
    const id = await createJob(organization, github, [
      { version: '1.0.0' },
      { version: '2.0.0', notes: 'fine' },
    ]);
    const read = async () => {
      const answer = await organization.api.call('getGatherJobReleaseNotes', {
        path: { id },
        query: { from: '1.0.0', to: '2.0.0' },
      });
      return answer.releases[0]!.hints.map(({ kind }) => kind);
    };
    expect(await read()).toEqual(['major_version']);
    await sql`UPDATE releases SET notes = 'BREAKING CHANGE: no', updated_at = pacekeeper_now() + interval '1 second'
      WHERE organization_id = ${organization.id} AND version = '2.0.0'`.execute(server.db);
    expect(await read()).toEqual(['major_version', 'breaking']);
  });
});

describe('the release notes in messages', () => {
  async function createAlert(releases: readonly StoredRelease[]) {
    const organization = await server.createOrganization();
    const { gatherJobId } = await createMonitoredSoftware(server, organization, {
      releases: [],
      rule: { thresholds: { moderate: 1 } },
    });
    await store(organization.id, gatherJobId, releases);
    await sql`UPDATE gather_jobs SET releases_revision = releases_revision + 1 WHERE id = ${gatherJobId}`.execute(
      server.db,
    );
    await organization.api.call('evaluateRules');
    const [alert] = (await organization.api.call('listAlerts')).items;
    const versions = { alertId: alert!.id, from: '1.0.0', to: alert!.latest_version! };
    return {
      gatherJobId,
      read: async () =>
        (await readNotesOfAlerts(server.db, organization.id, [versions])).get(versions.alertId),
    };
  }

  test('include upstream edits after at most a minute', async () => {
    const { gatherJobId, read } = await createAlert([
      { version: '1.0.0' },
      { version: '2.0.0', notes: 'fine' },
    ]);
    expect(await read()).toEqual({ releaseCount: 1, breakingChanges: null });
    await sql`UPDATE releases SET notes = 'BREAKING CHANGE: no', updated_at = pacekeeper_now() + interval '1 second'
      WHERE gather_job_id = ${gatherJobId} AND version = '2.0.0'`.execute(server.db);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
    expect(await read()).toEqual({ releaseCount: 1, breakingChanges: '2.0.0: no' });
  });

  test('include the breaking changes of every release, and state if older notes were not read', async () => {
    const many = (length: number, notesOf: (index: number) => string) =>
      Array.from({ length }, (_, index) => ({ version: `2.${index}.0`, notes: notesOf(index) }));
    const short = await createAlert([
      { version: '1.0.0' },
      ...many(150, (index) => (index === 3 ? 'BREAKING CHANGE: no' : 'fine')),
    ]);
    expect(await short.read()).toEqual({ releaseCount: 150, breakingChanges: '2.3.0: no' });
    const long = await createAlert([
      { version: '1.0.0' },
      ...many(150, (index) => `BREAKING CHANGE: no ${index}\n\n${'x'.repeat(5_200)}`),
    ]);
    expect((await long.read())?.breakingChanges?.split('\n')).toEqual([
      ...[149, 148, 147, 146].map((index) => `2.${index}.0: no ${index}`),
      '(only the notes of the newest 100 releases were read)',
    ]);
  });
});
