import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readRealProducts } from '../../../tests/helpers/lifecycle-files.ts';
import { hasTestData } from '../../../tests/helpers/test-data.ts';
import { normalizePurl } from '../../domain/artifacts/purl.ts';
import { catalog } from '../../domain/catalog/catalog.ts';
import { derivePurls } from '../../domain/identity/job-identity.ts';

const docs = readFileSync(fileURLToPath(new URL('../../../docs/rules.md', import.meta.url)), 'utf8');

describe.skipIf(!hasTestData)('lifecycles of the catalog', () => {
  const products = hasTestData ? readRealProducts() : [];
  const byPurl = new Map(
    products.flatMap(({ product, identifiers }) =>
      identifiers.flatMap(([type, id]) => (type === 'purl' ? [[normalizePurl(id), product] as const] : [])),
    ),
  );
  const foundByPurl = (entry: (typeof catalog)[number]) =>
    derivePurls(entry)
      .map((purl) => byPurl.get(normalizePurl(purl)))
      .find((product) => product !== undefined);

  test('exist, and are set only for entries whose package URLs do not identify a lifecycle', () => {
    const names = new Set(products.map(({ product }) => product));
    const named = catalog.filter(({ lifecycle_product }) => lifecycle_product !== undefined);
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter(({ lifecycle_product }) => !names.has(lifecycle_product!))).toEqual([]);
    expect(named.filter((entry) => foundByPurl(entry) !== undefined).map(({ name }) => name)).toEqual([]);
  });

  test('cover most entries, and the docs list the others', () => {
    const without = catalog.filter(
      (entry) => entry.lifecycle_product === undefined && foundByPurl(entry) === undefined,
    );
    console.log(`catalog entries with a lifecycle: ${catalog.length - without.length} of ${catalog.length}`);
    expect(without.length / catalog.length).toBeLessThan(0.33);
    const [, listed = ''] = /<!-- without lifecycle -->\s+([^<]+)</.exec(docs) ?? [];
    const names = listed.trim().replace(/\.$/, '').split(/,\s+/);
    expect(names).toEqual(without.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b, 'en')));
  });
});
