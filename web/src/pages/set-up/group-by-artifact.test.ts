import { expect, test } from 'vitest';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { groupByArtifact } from './group-by-artifact.ts';

const item = (name: string, version: string | null, matched_version: string | null = null) => ({
  artifact: {
    kind: 'image',
    name,
    purl: null,
    key: `image:${name}`,
  } as Schemas['DiscoveredItem']['artifact'],
  version,
  matched_version,
});

test('artifacts are listed with their distinct versions, those with the most places first', () => {
  const items = [
    item('b', '1.0'),
    item('a', '2.0'),
    item('c', 'latest', '3.1'),
    item('b', '1.1'),
    item('b', '1.0'),
    item('d', null),
  ];
  expect(groupByArtifact(items)).toEqual([
    { key: 'image:b', name: 'b', versions: ['1.0', '1.1'], places: 3 },
    { key: 'image:a', name: 'a', versions: ['2.0'], places: 1 },
    { key: 'image:c', name: 'c', versions: ['3.1'], places: 1 },
    { key: 'image:d', name: 'd', versions: [], places: 1 },
  ]);
  expect(groupByArtifact([])).toEqual([]);
});
