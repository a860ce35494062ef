import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readRealProducts } from '../../../tests/helpers/lifecycle-files.ts';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';
import { normalizePurl } from '../../domain/artifacts/purl.ts';
import { catalog } from '../../domain/catalog/catalog.ts';
import type { CatalogEntry } from '../../domain/catalog/catalog-entry.ts';
import { derivePurls } from '../../domain/identity/job-identity.ts';
import { packageKey, packagesFromPurl, parsePackage } from '../../domain/vulnerabilities/osv-package.ts';
import { parseRecordLine, readVulnerability } from '../../domain/vulnerabilities/read-vulnerability.ts';

const docs = readFileSync(fileURLToPath(new URL('../../../docs/rules.md', import.meta.url)), 'utf8');

function readKeys(): Set<string> {
  const keys = ['osv-bitnami', 'osv-go'].flatMap((file) =>
    readFileSync(testDataPath(`vulnerabilities/${file}.jsonl`), 'utf8')
      .split('\n')
      .flatMap((line) => readVulnerability(parseRecordLine(line))?.affected.map(packageKey) ?? []),
  );
  return new Set(keys);
}

function readLifecyclePurls(): Set<string | null> {
  return new Set(
    readRealProducts().flatMap(({ identifiers }) =>
      identifiers.flatMap(([type, id]) => (type === 'purl' ? [normalizePurl(id)] : [])),
    ),
  );
}

describe('vulnerability packages of the catalog', () => {
  const named = catalog.flatMap(({ vulnerability_packages = [] }) => vulnerability_packages);

  test('are written in the normalized form in which packages are stored', () => {
    expect(named.length).toBeGreaterThan(50);
    for (const name of named) expect(packageKey(parsePackage(name)!)).toBe(name);
  });

  test.skipIf(!hasTestData)(
    'have vulnerability records, and the docs list the entries that have neither records nor a lifecycle',
    () => {
      const known = readKeys();
      const isKnown = (name: string) => known.has(name);
      // The test data contains no PyPI records.
      expect(named.filter((name) => !isKnown(name) && !name.startsWith('PyPI/'))).toEqual([]);
      const packagesOf = (entry: CatalogEntry) =>
        entry.vulnerability_packages ??
        derivePurls(entry).flatMap((purl) => packagesFromPurl(purl).map(packageKey));
      const covered = catalog.filter((entry) => packagesOf(entry).some(isKnown));
      const lifecycles = readLifecyclePurls();
      const hasLifecycle = (entry: CatalogEntry) =>
        entry.lifecycle_product !== undefined ||
        derivePurls(entry).some((purl) => lifecycles.has(normalizePurl(purl)));
      const without = catalog.filter((entry) => !covered.includes(entry) && !hasLifecycle(entry));
      const of = `of ${catalog.length} catalog entries`;
      console.log(
        `${covered.length} ${of} have vulnerability data, ${catalog.length - without.length} that or a lifecycle`,
      );
      expect(covered.length / catalog.length).toBeGreaterThan(0.65);
      expect(1 - without.length / catalog.length).toBeGreaterThan(0.7);
      const [, listed = ''] = /<!-- without verdict data -->\s+([^<]+)</.exec(docs) ?? [];
      const names = listed.trim().replace(/\.$/, '').split(/,\s+/);
      expect(names).toEqual(without.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b, 'en')));
    },
  );
});
