import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { judge } from '../../src/domain/rules/judge.ts';
import type { Rule } from '../../src/domain/rules/rule-type.ts';
import { createReleaseCache } from '../../src/modules/monitoring/index.ts';
import { hasTestData, testDataPath } from '../helpers/test-data.ts';
import { createUpstreamFixture, item } from '../helpers/upstream-fixture.ts';

const { db, createOrganization, createJob, record, storedJob } = await createUpstreamFixture();

/** Tags of a project in the order in which they were published. */
interface History {
  name: string;
  tags: readonly string[];
}

const checks = 6;
const maxTags = 120;

const lines = (file: string) => readFileSync(testDataPath(file), 'utf8').trim().split('\n').slice(1);

/** Tag lists of official images, with the order in which each tag was first published. */
function recordedImages(): History[] {
  return lines('oci/docker-official-images-all-tags-ever.jsonl')
    .map((line) => JSON.parse(line) as History)
    .filter(({ tags }) => tags.length >= 40)
    .slice(0, 20)
    .map(({ name, tags }) => ({ name, tags: tags.slice(-maxTags) }));
}

/**
 * Release histories of repositories whose versions have three numbers, as the versions of GitHub actions do.
 */
function recordedRepositories(): History[] {
  return lines('release-history/mise-versions.jsonl')
    .map((line) => JSON.parse(line) as { tool: string; versions: { version: string }[] })
    .map(({ tool, versions }) => ({
      name: tool,
      tags: versions.map(({ version }) => version).filter((version) => /^\d+\.\d+\.\d+$/.test(version)),
    }))
    .filter(({ tags }) => tags.length >= 30)
    .slice(0, 20)
    .map(({ name, tags }) => ({ name, tags: tags.slice(-maxTags).map((version) => `v${version}`) }));
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const commitOf = (text: string) => hash(text).slice(0, 40);
const digestOf = (text: string) => `sha256:${hash(text)}`;

/** Returns the number of tags that exist at each check. All tags exist at the last check. */
const growth = (count: number) =>
  Array.from({ length: checks }, (_, check) => Math.ceil((count * (check + checks + 1)) / (2 * checks)));

const rule: Rule = {
  type: 'release_integrity',
  thresholds: { critical: 1 },
  stableOnly: false,
  daysBasis: null,
  minReleaseAgeDays: 0,
};

/** Returns the tags that alert when they are deployed. */
async function alertingTags(
  job: { organizationId: number; jobId: number },
  tags: readonly string[],
  isImage: boolean,
): Promise<string[]> {
  const { releases_revision: revision, platform_words: platformWords } = await storedJob(job);
  const key = {
    organizationId: job.organizationId,
    id: job.jobId,
    scheme: 'auto',
    platformWords,
    isImage,
    isDeployed: false,
    revision,
  } as const;
  const releases = (await createReleaseCache().load(db, [key]))(key);
  const options = { candidatePattern: null, ignoredVersions: [] };
  return tags.filter((deployedVersion) => {
    const verdict = judge({ rule, options, deployedVersion, releases, nowMs: Date.parse('2099-01-01') });
    return verdict.state === 'alerting';
  });
}

describe.skipIf(!hasTestData)('recorded tag histories', () => {
  const images = hasTestData ? recordedImages() : [];
  const repositories = hasTestData ? recordedRepositories() : [];

  test('there are 20 official images and 20 repositories', () => {
    expect([images.length, repositories.length]).toEqual([20, 20]);
  });

  test('rebuilds of all tags of official images open no alert', async () => {
    const organizationId = await createOrganization();
    for (const { name, tags } of images) {
      const job = await createJob(organizationId, {
        source_type: 'oci_registry',
        artifact_name: `docker.io/${name}`,
      });
      for (const [check, count] of growth(tags.length).entries()) {
        const listed = tags.slice(0, count);
        await record(
          job,
          listed.map((tag) => item(tag, { digest: digestOf(`${tag} ${check}`) })),
        );
        expect(await alertingTags(job, listed, true), name).toEqual([]);
      }
    }
  });

  test('tags that move with releases of repositories open no alert, and each planted change opens one at the next check', async () => {
    const organizationId = await createOrganization();
    let planted = 0;
    for (const { name, tags } of repositories) {
      const job = await createJob(organizationId, { source_type: 'github_releases' });
      const list = (published: readonly string[], replaced: ReadonlySet<string> = new Set()) => {
        const commits = new Map<string, string>();
        for (const tag of published) {
          const commit = commitOf(replaced.has(tag) ? `planted ${tag}` : tag);
          const [major, minor] = tag.split('.');
          // The tags v4 and v4.1 always name the newest release of their line.
          for (const moving of [tag, major!, `${major}.${minor}`]) commits.set(moving, commit);
        }
        return [...commits].map(([tag, commit]) => item(tag, { commit }));
      };
      for (const count of growth(tags.length)) {
        const published = tags.slice(0, count);
        await record(job, list(published));
        expect(await alertingTags(job, published, false), name).toEqual([]);
      }
      const replaced = tags.filter((_, at) => at % 10 === 3);
      planted += replaced.length;
      await record(job, list(tags, new Set(replaced)));
      expect((await alertingTags(job, tags, false)).toSorted(), name).toEqual(replaced.toSorted());
    }
    expect(planted).toBeGreaterThan(60);
  });

  test('moving tags of other images open no alert, and each planted change opens one at the next check', async () => {
    const organizationId = await createOrganization();
    let planted = 0;
    for (const { name, tags } of images) {
      const job = await createJob(organizationId, {
        source_type: 'oci_registry',
        artifact_name: `registry.example.com/${name}`,
      });
      const published = tags.filter((tag) => /^\d+\.\d+\.\d+$/.test(tag));
      const versions = published.filter((tag) => !tags.some((other) => other.startsWith(`${tag}-`)));
      const list = (listed: readonly string[], replaced: ReadonlySet<string> = new Set()) => [
        ...listed.map((tag) => item(tag, { digest: digestOf(replaced.has(tag) ? `planted ${tag}` : tag) })),
        item('latest', { digest: digestOf(listed.at(-1) ?? '') }),
      ];
      for (const count of growth(versions.length)) {
        const listed = versions.slice(0, count);
        await record(job, list(listed));
        expect(await alertingTags(job, listed, true), name).toEqual([]);
      }
      const replaced = versions.filter((_, at) => at % 10 === 3);
      planted += replaced.length;
      await record(job, list(versions, new Set(replaced)));
      expect((await alertingTags(job, versions, true)).toSorted(), name).toEqual(replaced.toSorted());
    }
    expect(planted).toBeGreaterThan(20);
  });
});
