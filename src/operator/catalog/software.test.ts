import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readRealProducts } from '../../../tests/helpers/lifecycle-files.ts';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import { normalizePurl } from '../../domain/artifacts/purl.ts';
import { catalog } from '../../domain/catalog/catalog.ts';
import { knownSoftware, packageUrlsWithOtherVersions } from '../../domain/catalog/software.ts';
import { derivePurls } from '../../domain/identity/job-identity.ts';
import { autoScheme, upstreamRank } from '../../domain/versions/auto-scheme.ts';
import type { Advisory } from '../../domain/vulnerabilities/advisory.ts';
import { KnownVulnerabilities } from '../../domain/vulnerabilities/find-vulnerabilities.ts';
import { withModuleMajors } from '../../domain/vulnerabilities/module-majors.ts';
import { packageKey, parsePackage } from '../../domain/vulnerabilities/osv-package.ts';
import { parseRecordLine, readVulnerability } from '../../domain/vulnerabilities/read-vulnerability.ts';

const purls = knownSoftware.flatMap((each) => each.purls);
const packages = knownSoftware.flatMap(({ vulnerability_packages = [] }) => vulnerability_packages);

describe('known software', () => {
  test('has normalized package URLs, and each belongs to one entry', () => {
    expect(purls.length).toBeGreaterThan(400);
    expect(purls.filter((purl) => normalizePurl(purl) !== purl)).toEqual([]);
    expect(purls.filter((purl, index) => purls.indexOf(purl) !== index)).toEqual([]);
  });

  test('includes no image whose tags are versions of other software', () => {
    for (const artifact_name of [
      'ghcr.io/mend/renovate-ce',
      'docker.io/pgvector/pgvector',
      'docker.io/moodlehq/moodle-php-apache',
      'docker.io/discourse/base',
      'docker.io/shopware/docker-base',
    ]) {
      const ofImage = derivePurls({ source_type: 'oci_registry', artifact_name });
      expect(ofImage.filter((purl) => purls.includes(purl))).toEqual([]);
      expect(ofImage.filter((purl) => !packageUrlsWithOtherVersions.has(purl))).toEqual([]);
    }
  });

  test('contains package names in the normalized form in which packages are stored', () => {
    expect(packages.filter((name) => packageKey(parsePackage(name)!) !== name)).toEqual([]);
  });

  test('has the same lifecycle and packages as the catalog entries with the same package URLs', () => {
    const differences = catalog.flatMap((entry) => {
      const same = knownSoftware.find((each) => derivePurls(entry).some((purl) => each.purls.includes(purl)));
      if (same === undefined) return [];
      const isSame =
        (entry.lifecycle_product ?? same.lifecycle_product) === same.lifecycle_product &&
        String(entry.vulnerability_packages ?? same.vulnerability_packages) ===
          String(same.vulnerability_packages);
      return isSame ? [] : [[entry.name, entry.lifecycle_product, entry.vulnerability_packages, same]];
    });
    expect(differences).toEqual([]);
  });
});

describe.skipIf(!hasTestData)('known software in the reference data', () => {
  const records = hasTestData ? readRecords() : [];
  const keys = new Set(records.flatMap(({ affected }) => affected.map(packageKey)));
  const products = hasTestData ? readRealProducts() : [];

  test('has lifecycles that exist', () => {
    const names = new Set(products.map(({ product }) => product));
    const named = knownSoftware.flatMap(({ lifecycle_product: name }) => (name === undefined ? [] : [name]));
    expect(named.filter((name) => !names.has(name))).toEqual([]);
  });

  test('has packages with records, if the data contains their ecosystem', () => {
    const isInData = (name: string) => name.startsWith('Bitnami/') || name.startsWith('Go/');
    expect(packages.filter((name) => isInData(name) && !keys.has(name))).toEqual([]);
  });

  const advisoriesByKey = Map.groupBy(
    records.flatMap((record) => record.affected.map((entry) => ({ key: packageKey(entry), entry, record }))),
    ({ key }) => key,
  );
  const subjects = products.flatMap(({ product, releases }) => {
    const named = [...catalog, ...knownSoftware].filter(({ lifecycle_product: name }) => name === product);
    const names = new Set(named.flatMap(({ vulnerability_packages: keys = [] }) => keys.join(' ')));
    const latest = releases.flatMap(({ latest: version, eol }) =>
      version === undefined ? [] : [{ version, isSupported: isSupportedOn('2026-08-15', eol) }],
    );
    return [...names]
      .filter((each) => each !== '')
      .map((each) => ({ product, keys: each.split(' '), latest }));
  });

  test.each(subjects)(
    'has only packages of the same software, so each fix for the latest versions of $product is in an existing release line',
    ({ keys, latest }) => {
      const advisories = keys.flatMap((key) =>
        (advisoriesByKey.get(key) ?? []).map(({ entry, record }) => ({ ...record, affected: [entry] })),
      );
      const found = new KnownVulnerabilities(
        withModuleMajors(advisories),
        advisories.flatMap(({ affected }) => affected),
      );
      const highest = highestOf(latest.map(({ version }) => version));
      const wrong = latest
        .filter(({ isSupported }) => isSupported)
        .flatMap(({ version }) =>
          (found.find(version) ?? [])
            .filter(({ fixedIn }) => fixedIn !== null && !isFixIn(fixedIn, version, highest))
            .map(({ id, fixedIn }) => `${version}: ${id} is fixed in ${fixedIn}`),
        );
      expect(wrong).toEqual([]);
    },
  );

  test('has the lifecycle that the reference data assigns to its package URLs', () => {
    const byPurl = new Map(
      products.flatMap(({ product, identifiers }) =>
        identifiers.flatMap(([type, id]) => (type === 'purl' ? [[normalizePurl(id), product] as const] : [])),
      ),
    );
    const differences = knownSoftware.flatMap((each) =>
      each.purls.flatMap((purl) => {
        const product = byPurl.get(purl);
        return product === undefined || product === each.lifecycle_product
          ? []
          : [[purl, product, each.lifecycle_product]];
      }),
    );
    expect(differences).toEqual([]);
  });
});

function readRecords(): Advisory[] {
  return ['osv-bitnami', 'osv-go'].flatMap((file) =>
    readFileSync(testDataPath(`vulnerabilities/${file}.jsonl`), 'utf8')
      .split('\n')
      .flatMap((line) => readVulnerability(parseRecordLine(line)) ?? []),
  );
}

function isSupportedOn(day: string, end: string | boolean | undefined): boolean {
  return typeof end === 'string' ? end > day : end !== true;
}

function highestOf(versions: readonly string[]): string {
  return versions.toSorted((a, b) => ((upstreamRank(a) ?? '') < (upstreamRank(b) ?? '') ? 1 : -1))[0] ?? '';
}

/**
 * True if the fix is newer than `version`, and either not newer than `highest` or in the same major version as
 * `version`. A package name that belongs to other software leads to fixes in release lines that the product never had.
 */
function isFixIn(fixedIn: string, version: string, highest: string): boolean {
  if ((upstreamRank(fixedIn) ?? '') <= (upstreamRank(version) ?? '')) return false;
  const majorOf = (text: string) => Number(autoScheme.parse(text)?.numbers[0] ?? 0);
  return (
    (upstreamRank(fixedIn) ?? '') <= (upstreamRank(highest) ?? '') || majorOf(fixedIn) === majorOf(version)
  );
}
