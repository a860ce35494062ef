import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import { catalog } from '../../domain/catalog/catalog.ts';
import type { CatalogEntry } from '../../domain/catalog/catalog-entry.ts';
import type { GatheredRelease } from '../../sources/release-source.ts';
import { latestStableOf, selectKeptReleases } from './check-entry.ts';

describe.skipIf(!hasTestData)('the latest stable version of real histories', () => {
  test.each<[name: string, tool: string, expected: string, prefix?: string]>([
    ['CoreDNS', 'coredns', 'v1.14.7'],
    ['Calico', 'calicoctl', 'v3.32.1'],
    ['Caddy', 'caddy', 'v2.11.4'],
    ['Argo CD', 'argocd', 'v3.5.1'],
    ['Vault', 'vault', 'v2.0.4'],
    ['Terraform', 'terraform', 'v1.15.9'],
    ['Docker Compose', 'docker-compose', 'v5.5.0'],
    ['Linkerd (edge)', 'linkerd', '26.8.3'],
    ['Node.js', 'node', 'v26.7.0', 'v'],
    ['Go', 'go', '1.27.0', 'go'],
    ['Ansible', 'ansible', '14.3.1', ''],
  ])('is correct for %s, as GitHub and similar hosts list its releases', (name, tool, expected, prefix) => {
    expect(latestStable(entryOf(name), toolReleases(tool, prefix))).toBe(expected);
  });

  test.each<[name: string, image: string, expected: RegExp]>([
    ['PostgreSQL', 'postgres', /^18\.\d+$/],
    ['MongoDB', 'mongo', /^8\.\d+\.\d+$/],
    ['HAProxy', 'haproxy', /^3\.\d+\.\d+$/],
    ['Apache HTTP Server', 'httpd', /^2\.4\.\d+$/],
    ['OpenJDK (Eclipse Temurin)', 'eclipse-temurin', /^26(?:\.\d+)*$/],
    ['Alpine Linux', 'alpine', /^3\.\d+\.\d+$/],
    ['Ubuntu LTS', 'ubuntu', /^26\.04$/],
    ['Nextcloud', 'nextcloud', /^3\d\.\d+\.\d+$/],
  ])('is correct for %s, among all tags that its image ever had', (name, image, expected) => {
    expect(entryOf(name).artifact_name).toBe(`docker.io/library/${image}`);
    const tags = imageTags(`library/${image}`);
    expect(
      latestStable(
        entryOf(name),
        tags.map((tag) => release(tag)),
      ),
    ).toMatch(expected);
  });

  test.each<[name: string, chart: string]>([
    ['Argo CD chart', 'argo-cd'],
    ['CloudNativePG chart', 'cloudnative-pg'],
    ['Jenkins chart', 'jenkins'],
    ['Longhorn chart', 'longhorn'],
  ])('is correct for %s, in the index of its repository', (name, chart) => {
    const found = readCharts().find((each) => each.chart === chart);
    expect(entryOf(name).artifact_name.split('/').at(-1)).toBe(chart);
    expect(
      latestStable(
        entryOf(name),
        (found?.top5 ?? []).map((version) => release(version)),
      ),
    ).toBe(found?.latestStable.version);
  });

  const products = readProducts();
  test('is checked for more than 20 products of endoflife.date', () => {
    expect(products.length).toBeGreaterThan(20);
  });

  test.each(products)(
    'is correct for $entry.name, with the release lines and tags of endoflife.date',
    ({ entry, tags }) => {
      // The entry must keep the latest release of each line, with the version that endoflife.date lists. The highest of
      // these versions is the latest stable one.
      for (const { tag, version } of tags) {
        const kept = selectKeptReleases(entry, [release(tag)]).map((kept) => kept.version);
        expect([tag, kept.map((text) => text.replace(/^v/, ''))]).toEqual([tag, [version]]);
      }
      const highest = tags
        .map(({ version }) => version)
        .toSorted(byNumbers)
        .at(-1);
      const found = latestStable(
        entry,
        tags.map(({ tag }) => release(tag)),
      );
      expect(found?.replace(/^v/, '')).toBe(highest);
    },
  );
});

function latestStable(entry: CatalogEntry, releases: readonly GatheredRelease[]): string | null {
  return latestStableOf(entry, selectKeptReleases(entry, releases));
}

function entryOf(name: string): CatalogEntry {
  const found = catalog.find((entry) => entry.name === name);
  if (!found) throw new Error(`the catalog has no ${name}`);
  return found;
}

function release(tag: string, isPrerelease = false): GatheredRelease {
  return {
    tag,
    app_version: null,
    released_at: null,
    is_prerelease: isPrerelease,
    is_yanked: false,
    url: null,
    notes: null,
  };
}

interface Line {
  tool?: string;
  name?: string;
  tags?: string[];
  versions?: { version: string; release_url?: string; prerelease?: boolean }[];
  changelogTemplate?: string | null;
  releases?: { latest?: string | null }[];
}

function readLines(file: string): Line[] {
  const text = readFileSync(testDataPath(file), 'utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
}

/**
 * Returns the releases of a tool. The tag of a release is the last part of its URL or, if `prefix` is set, `prefix`
 * followed by the version.
 */
function toolReleases(tool: string, prefix: string | undefined): GatheredRelease[] {
  const found = readLines('release-history/mise-versions.jsonl').find((line) => line.tool === tool);
  return (found?.versions ?? []).map(({ version, release_url, prerelease }) => {
    const tag = prefix === undefined ? release_url?.split('/releases/tag/')[1] : `${prefix}${version}`;
    if (tag === undefined) throw new Error(`${tool} ${version} has no tag`);
    return release(decodeURIComponent(tag), prerelease ?? false);
  });
}

function imageTags(name: string): string[] {
  const found = readLines('oci/docker-official-images-all-tags-ever.jsonl').find(
    (line) => line.name === name,
  );
  return found?.tags ?? [];
}

interface Chart {
  chart: string;
  top5: string[];
  latestStable: { version: string };
}

function readCharts(): Chart[] {
  return (JSON.parse(readFileSync(testDataPath('helm/expected-latest.json'), 'utf8')) as { cases: Chart[] })
    .cases;
}

/** Returns the products of endoflife.date whose release URLs match the source of a catalog entry. */
function readProducts(): { entry: CatalogEntry; tags: { tag: string; version: string }[] }[] {
  if (!hasTestData) return [];
  return readLines('release-history/endoflife-products.jsonl').flatMap(({ changelogTemplate, releases }) => {
    const address = /^https:\/\/(.+?)(?:\/-)?\/releases\/(?:tag\/)?([^/{}]*)__LATEST__\/?$/u.exec(
      changelogTemplate ?? '',
    );
    if (!address) return [];
    const [, place = '', prefix = ''] = address;
    const entry = catalog.find(({ artifact_name }) => artifact_name.toLowerCase() === place.toLowerCase());
    if (!entry) return [];
    const tags = (releases ?? []).flatMap(({ latest }) =>
      typeof latest === 'string' ? [{ tag: `${decodeURIComponent(prefix)}${latest}`, version: latest }] : [],
    );
    return [{ entry, tags }];
  });
}

function byNumbers(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
