import { expect, test } from 'vitest';
import { countYields } from '../../../../tests/helpers/turns-during.ts';
import { maxAliases } from '../../../domain/identity/artifact-aliases.ts';
import type { FoundItemRow } from '../model/item-changes.ts';
import type { FoundIdentity } from '../model/pair-items.ts';
import { applyAliasesToScan } from './apply-aliases-to-items.ts';

test('a scan with many items and aliases leaves time for other work, and each item gets its original artifact', async () => {
  const names = Array.from(
    { length: 500 },
    (_, at) => `h${at % maxAliases}.example/${'p/'.repeat(100)}web${at}`,
  );
  const aliases = Array.from({ length: maxAliases }, (_, at) => ({
    prefix: `h${at}.example/${'p/'.repeat(100)}`,
    upstream_prefix: 'docker.io/acme/',
  }));
  let found: FoundIdentity[] = [];
  const yields = await countYields(async () => {
    found = await applyAliasesToScan(
      names.map((name, at) => itemOf(name, at)),
      aliases,
    );
  });
  expect(yields).toBeGreaterThan(100);
  expect(found).toHaveLength(names.length);
  expect(found[499]).toMatchObject({
    followed: { proposal: { artifact_name: 'docker.io/acme/web499' } },
  });
});

function itemOf(name: string, number: number): FoundItemRow {
  return {
    sequence: 1,
    number,
    blob: 'a'.repeat(40),
    artifact_kind: 'image',
    artifact_name: name,
    version_state: 'exact',
    reason: null,
    key: name,
    path: 'pod.yaml',
    version: '1.0.0',
    artifact_purl: null,
    is_too_long: false,
    proposal: {
      source_type: 'oci_registry',
      artifact_name: name,
      source_options: {},
      version_pattern: null,
      version_scheme: null,
      confidence: 'certain',
      why: 'an image',
    },
  };
}
