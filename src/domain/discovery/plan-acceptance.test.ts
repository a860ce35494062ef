import { describe, expect, it } from 'vitest';
import {
  type AcceptableItem,
  type ExistingResources,
  type KnownGatherJob,
  planAcceptance,
} from './plan-acceptance.ts';
import type { UpstreamSource } from './upstream-source.ts';

const nothing: ExistingResources = {
  gatherJobs: [],
  syncs: [],
  gatherJobNames: new Set(),
  scrapeJobNames: new Set(),
};

function source(
  source_type: UpstreamSource['source_type'],
  artifact_name: string,
  version_pattern: string | null = null,
) {
  return { source_type, artifact_name, source_options: {}, version_pattern, version_scheme: null };
}

function item(id: number, change: Partial<AcceptableItem> = {}): AcceptableItem {
  return {
    id,
    key: `kubernetes:Deployment::web-${id}:image`,
    status: 'new',
    reason: null,
    version: '1.2.3',
    versionState: 'exact',
    name: null,
    artifactName: 'ghcr.io/acme/web',
    problem: null,
    digest: null,
    scrapeJob: null,
    hasRule: true,
    source: source('oci_registry', 'ghcr.io/acme/web'),
    mirror: null,
    gatherJobId: null,
    mirrorJobId: null,
    service: 'web',
    environment: 'prod',
    namespace: null,
    file: `clusters/prod/web-${id}.yaml`,
    ...change,
  };
}

function job(id: number, change: Partial<KnownGatherJob> = {}): KnownGatherJob {
  return {
    id,
    name: `Job ${id}`,
    isGlobal: false,
    source_type: 'oci_registry',
    artifact_name: 'ghcr.io/acme/web',
    source_options: {},
    version_pattern: null,
    ...change,
  };
}

function chart(name: string, id: number): AcceptableItem {
  return item(id, {
    artifactName: name,
    service: name,
    source: source('helm_repository', `charts.example.org/stable/${name}`),
  });
}

function plan(items: readonly AcceptableItem[], known: ExistingResources, hasRule = true) {
  return planAcceptance(
    items.map((each) => ({ ...each, hasRule })),
    known,
  );
}

describe('the acceptance of items', () => {
  it('creates one gather job for all locations of an artifact, and a unique name for each location', () => {
    const { items, newGatherJobs, newSyncs } = plan(
      [item(2), item(1), item(3, { environment: null })],
      nothing,
    );
    expect(newGatherJobs).toEqual([
      { name: 'ghcr.io/acme/web', source: item(1).source, sync: null, chart: null },
    ]);
    expect(newSyncs).toEqual([]);
    expect([1, 2, 3].map((id) => items.get(id))).toEqual([
      { outcome: 'accepted', name: 'web (prod)', gatherJob: newGatherJobs[0], mirrorJob: null },
      {
        outcome: 'accepted',
        name: 'web (prod), clusters/prod/web-2.yaml',
        gatherJob: newGatherJobs[0],
        mirrorJob: null,
      },
      { outcome: 'accepted', name: 'web', gatherJob: newGatherJobs[0], mirrorJob: null },
    ]);
  });

  it('skips names that are already used, and keeps a chosen name if it is available', () => {
    const known = {
      ...nothing,
      scrapeJobNames: new Set(['web (prod)', 'Shop']),
      gatherJobNames: new Set(['ghcr.io/acme/web']),
    };
    const { items, newGatherJobs } = plan(
      [item(1), item(2, { name: 'Shop' }), item(3, { name: 'Till' })],
      known,
    );
    expect([1, 2, 3].map((id) => items.get(id))).toMatchObject([
      { name: 'web (prod), clusters/prod/web-1.yaml' },
      { name: 'web (prod), clusters/prod/web-2.yaml' },
      { name: 'Till' },
    ]);
    expect(newGatherJobs[0]?.name).toBe('ghcr.io/acme/web #2');
  });

  it('prefers a gather job of the organization to a global one', () => {
    const find = (...gatherJobs: KnownGatherJob[]) => {
      const planned = plan([item(1)], { ...nothing, gatherJobs }).items.get(1);
      return planned?.outcome === 'accepted' && planned.gatherJob !== null && 'id' in planned.gatherJob
        ? planned.gatherJob.id
        : null;
    };
    expect(find(job(5, { isGlobal: true }), job(9))).toBe(9);
    expect(find(job(5, { isGlobal: true }))).toBe(5);
    expect(find(job(9, { artifact_name: 'GHCR.io/acme/Web' }))).toBe(9);
    expect(find(job(9, { artifact_name: 'ghcr.io/acme/other' }))).toBeNull();
    expect(find(job(9, { source_options: { platform: 'arm64' } }))).toBeNull();
    // A job with a version pattern matches only if the pattern matches the version and no other job's pattern
    // does.
    expect(find(job(9, { version_pattern: '^v?1\\.' }))).toBe(9);
    expect(find(job(9, { version_pattern: '^v?2\\.' }))).toBeNull();
    expect(find(job(8, { version_pattern: '^v?1\\.' }), job(9, { version_pattern: '^v?1\\.2' }))).toBeNull();
    expect(find(job(8, { version_pattern: '^v?1\\.' }), job(9))).toBe(9);
  });

  it('creates one helm sync job that feeds all three charts of a repository', () => {
    const { newSyncs, newGatherJobs } = plan(
      [chart('redis', 1), chart('nginx', 2), chart('mysql', 3)],
      nothing,
    );
    expect(newSyncs).toEqual([
      {
        name: 'charts.example.org/stable',
        repository_url: 'https://charts.example.org/stable',
        chart_filter: ['mysql', 'nginx', 'redis'],
      },
    ]);
    expect(newGatherJobs.map(({ sync, chart }) => ({ sync, chart }))).toEqual(
      ['redis', 'nginx', 'mysql'].map((name) => ({ sync: 'charts.example.org/stable', chart: name })),
    );
    expect(plan([chart('redis', 1), chart('nginx', 2)], nothing).newSyncs).toEqual([]);
  });

  it('gives a new helm sync job the URL scheme that all files specify', () => {
    const plain = (name: string, id: number) => {
      const item = chart(name, id);
      return { ...item, source: { ...item.source!, scheme: 'http' as const } };
    };
    const urlOf = (items: AcceptableItem[]) =>
      plan(items, nothing).newSyncs.map(({ repository_url }) => repository_url);
    expect(urlOf([plain('redis', 1), plain('nginx', 2), plain('mysql', 3)])).toEqual([
      'http://charts.example.org/stable',
    ]);
    expect(urlOf([plain('redis', 1), chart('nginx', 2), plain('mysql', 3)])).toEqual([
      'https://charts.example.org/stable',
    ]);
  });

  it('feeds a chart from an existing helm sync job, regardless of the URL scheme in the file', () => {
    const sync = {
      id: 7,
      name: 'Stable',
      repository_url: 'http://charts.example.org/stable',
      includesChart: () => true,
    };
    const { newGatherJobs } = plan([chart('redis', 1)], { ...nothing, syncs: [sync] });
    expect(newGatherJobs).toMatchObject([{ sync: 7, chart: 'redis' }]);
  });

  it('feeds charts from an existing helm sync job if its filter includes them', () => {
    const sync = {
      id: 7,
      name: 'Stable',
      repository_url: 'https://charts.example.org/stable',
      includesChart: (name: string) => name !== 'mysql',
    };
    const { newSyncs, newGatherJobs } = plan([chart('redis', 1), chart('mysql', 2)], {
      ...nothing,
      syncs: [sync],
    });
    expect(newSyncs).toEqual([]);
    expect(newGatherJobs.map(({ sync, chart }) => ({ sync, chart }))).toEqual([
      { sync: 7, chart: 'redis' },
      { sync: null, chart: null },
    ]);
  });

  it('keeps the gather jobs of an item even if they read something else now, unless they were deleted', () => {
    const mirror = source('oci_registry', 'harbor.example.org/ghcr/acme/web');
    const tracked = item(1, {
      status: 'accepted',
      mirror,
      gatherJobId: 7,
      mirrorJobId: 8,
      scrapeJob: { name: 'web (prod)', isCompared: false, isOutdated: false, isRenamed: false },
    });
    const edited = [
      job(7, { source_type: 'github_releases', artifact_name: 'github.com/acme/web' }),
      job(8, { artifact_name: 'harbor.example.org/acme/web' }),
    ];
    const kept = plan([tracked], { ...nothing, gatherJobs: edited });
    expect(kept.newGatherJobs).toEqual([]);
    expect(kept.items.get(1)).toMatchObject({ gatherJob: { id: 7 }, mirrorJob: { id: 8 } });
    expect(plan([tracked], nothing).newGatherJobs).toHaveLength(2);
  });

  it('creates a second gather job for all locations of a mirror that is read, or uses an existing one of the organization', () => {
    const mirror = source('oci_registry', 'harbor.example.org/ghcr/acme/web');
    const mirrored = [item(1, { mirror }), item(2, { mirror })];
    const { items, newGatherJobs } = plan(mirrored, nothing);
    expect(newGatherJobs.map(({ name }) => name)).toEqual(['ghcr.io/acme/web', mirror.artifact_name]);
    for (const id of [1, 2])
      expect(items.get(id)).toMatchObject({
        gatherJob: { name: 'ghcr.io/acme/web' },
        mirrorJob: { name: mirror.artifact_name },
      });
    const own = job(9, { artifact_name: mirror.artifact_name });
    const reused = plan(mirrored, { ...nothing, gatherJobs: [own] });
    expect(reused.newGatherJobs.map(({ name }) => name)).toEqual(['ghcr.io/acme/web']);
    expect(reused.items.get(1)).toMatchObject({ mirrorJob: { id: 9 } });
    const global = plan(mirrored, { ...nothing, gatherJobs: [{ ...own, isGlobal: true }] });
    expect(global.items.get(1)).toMatchObject({ mirrorJob: { name: mirror.artifact_name } });
    expect(global.newGatherJobs).toHaveLength(2);
  });

  it('accepts an internal service without an upstream', () => {
    const own = item(1, { reason: 'no_source', source: null });
    expect(plan([own], nothing).items.get(1)).toEqual({
      outcome: 'accepted',
      name: 'web (prod)',
      gatherJob: null,
      mirrorJob: null,
    });
    const chosen = item(1, { reason: 'no_source' });
    expect(plan([chosen], nothing).newGatherJobs).toHaveLength(1);
  });

  it("reports for each rejected item why it can't be accepted, and accepts the others", () => {
    const { items } = plan(
      [
        item(1, { status: 'ignored' }),
        item(2, { status: 'gone' }),
        item(3, { reason: 'templated', version: null, versionState: 'templated' }),
        item(4, { version: null, versionState: 'digest' }),
        item(5, { status: 'accepted', version: null }),
        item(6),
      ],
      nothing,
    );
    expect([...items].toSorted(([a], [b]) => a - b).map(([, planned]) => planned)).toMatchObject([
      { outcome: 'rejected', message: 'The item is ignored. Restore it first.' },
      { outcome: 'rejected', message: 'The last scan no longer found it.' },
      {
        outcome: 'rejected',
        message: 'The version or the name comes from a template, a variable, or a placeholder.',
      },
      { outcome: 'rejected', message: 'No file says which version is deployed.' },
      { outcome: 'already_accepted' },
      { outcome: 'accepted', name: 'web (prod)' },
    ]);
  });

  it('adds the missing jobs of an accepted item once its source is known, under the name of its scrape job', () => {
    const outcomes = (change: Partial<AcceptableItem>, gatherJobs: KnownGatherJob[], hasRule?: boolean) => {
      const accepted = item(1, { status: 'accepted', ...change });
      return plan([accepted], { ...nothing, gatherJobs }, hasRule).items.get(1);
    };
    const scrapeJob = { name: 'Till', isCompared: false, isOutdated: false, isRenamed: false };
    expect(outcomes({ scrapeJob }, [])).toMatchObject({ outcome: 'accepted', name: 'Till' });
    expect(outcomes({ scrapeJob, version: null, reason: 'range' }, [job(9)])).toMatchObject({
      outcome: 'accepted',
      gatherJob: { id: 9 },
    });
    expect(outcomes({ scrapeJob }, [], false)).toMatchObject({ outcome: 'accepted' });
    const done = { outcome: 'already_accepted' };
    expect(outcomes({ scrapeJob }, [job(9)], false)).toEqual(done);
    expect(outcomes({ scrapeJob: { ...scrapeJob, isCompared: true } }, [])).toEqual(done);
    expect(outcomes({ scrapeJob, source: null }, [])).toEqual(done);
    const outdated = { ...scrapeJob, isCompared: true, isOutdated: true };
    expect(outcomes({ scrapeJob: outdated }, [job(9)])).toMatchObject({ name: 'Till', gatherJob: { id: 9 } });
    expect(outcomes({ scrapeJob: { ...outdated, isRenamed: true }, name: 'Shop' }, [])).toMatchObject({
      name: 'Shop',
    });
    expect(outcomes({ scrapeJob, source: null, problem: 'No such repository.' }, [])).toEqual({
      outcome: 'rejected',
      message: 'No such repository.',
    });
  });
});
