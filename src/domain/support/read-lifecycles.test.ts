import { expect, it } from 'vitest';
import { LifecycleReader } from './read-lifecycles.ts';

function read(value: unknown) {
  const reader = new LifecycleReader();
  reader.feed(JSON.stringify(value));
  const end = reader.end();
  return end.ok ? end.lifecycles : end.problem;
}

it('products are parsed with their package URLs, and release lines with the end of each support phase', () => {
  const release = {
    name: '14',
    isLts: false,
    releaseDate: '2021-09-30',
    isEoas: true,
    isEol: true,
    eolFrom: '2026-11-12',
    isEoes: null,
    eoesFrom: null,
    latest: { name: '14.20', date: '2025-11-13' },
  };
  const lifecycles = read({
    schema_version: '1.2.0',
    generated_at: '2026-11-20T00:00:00Z',
    result: [
      {
        name: 'postgresql',
        label: 'PostgreSQL',
        identifiers: [
          { type: 'purl', id: 'pkg:docker/library/postgres' },
          { type: 'purl', id: 'pkg:oci/postgres?repository_url=docker.io/library/postgres' },
          { type: 'purl', id: 'pkg:github/postgres/postgres@14' },
          { type: 'purl', id: 'not one' },
          { type: 'cpe', id: 'cpe:/a:postgresql:postgresql' },
        ],
        releases: [release, { name: '' }, 'no release'],
      },
      { name: 'no releases' },
    ],
  });
  expect(lifecycles).toEqual({
    generatedAtMs: Date.parse('2026-11-20T00:00:00Z'),
    products: [
      {
        name: 'postgresql',
        label: 'PostgreSQL',
        purls: [
          'pkg:oci/postgres?repository_url=docker.io%2Flibrary%2Fpostgres',
          'pkg:github/postgres/postgres',
        ],
        lines: [
          {
            name: '14',
            isLts: false,
            releasedOn: '2021-09-30',
            latest: '14.20',
            ends: { active_support: true, end_of_life: '2026-11-12', extended_support: null },
          },
        ],
      },
    ],
  });
});

const products = [{ name: 'go', releases: [] }];

it.each([
  [null, 'no_products'],
  [[], 'no_products'],
  [{ result: {} }, 'no_products'],
  [{ generated_at: '2026-11-20T00:00:00Z', result: [{ name: 'GO!', releases: [] }] }, 'no_products'],
  [{ result: products }, 'no_date'],
  [{ generated_at: 'today', result: products }, 'no_date'],
  [{ generated_at: '2026-11-20T00:00:00Z', total: 2, result: products }, 'truncated'],
])('%j is rejected as %s', (value, problem) => {
  expect(read(value)).toBe(problem);
});
