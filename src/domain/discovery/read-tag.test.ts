import { expect, test } from 'vitest';
import { readTag, type TagKind, versionPatternOf } from './read-tag.ts';

const tags: Readonly<Record<TagKind, readonly string[]>> = {
  version: [
    '1.2.3',
    '1.2.3-alpine',
    'v1.36.0',
    '20240101',
    'stable-2.14.10',
    'edge-24.11.8',
    'lts-2.426.3',
    'mainline-1.25.3',
    'nightly-20240501',
    'nightly-2024-01-01',
    'master-95',
    'main-2021-11-11-aee7c97b',
    'main-817.1138-20240711',
    'main-a1b2c3d-1611906956',
    'prod-e58c8f4-20260820093417',
    '2019-CU31-ubuntu-20.04',
    '2019-CU25-GDR1-ubuntu-20.04',
    '14-vectorchord0.4.3-pgvectors0.2.0',
    '7-alpine-20240226',
    'bookworm-20240701',
    'jdk-21.0.4',
    '12-main-0a1b2c3',
    'v4-rc.1',
    'RELEASE.2024-01-01T00-00-00Z',
    'b4512',
    'r58',
    '8u472-b08-jdk',
    'w_2024_12',
  ],
  moving: [
    'latest',
    'stable',
    'main-latest',
    'stable-alpine',
    'latest-3',
    'stable-1',
    '4',
    'v4',
    '2.x',
    '20-alpine',
    'lts-alpine3.23',
    'pg16',
    '3-management-alpine',
    '17-jdk',
    'noble',
  ],
  commit: ['e58c8f4', 'sha-e58c8f4', 'main-aee7c97b', 'prod-aee7c97b'],
  other: [
    'devcon26-usgs',
    '2i2c',
    'c9s',
    'sneisary_d25',
    'tickets-DM-52819',
    'DM-52819',
    'pr-1207-dee9c41-20260821162153',
    'feature-12345-20240101',
    'team-7',
  ],
};

test.each(Object.entries(tags).flatMap(([kind, list]) => list.map((tag) => [tag, kind] as const)))(
  'the tag %s is of the kind %s',
  (tag, kind) => expect(readTag(tag)).toBe(kind),
);

test.each([
  ['prod-e58c8f4-20260820093417', '^prod-[a-f0-9]+-([0-9]+)$'],
  ['main-a1b2c3d-1611906956', '^main-[a-f0-9]+-([0-9]+)$'],
  ['e58c8f4-20260820093417', '^[a-f0-9]+-([0-9]+)$'],
  ['main-2021-11-11-aee7c97b', '^main-([0-9]{4}-[0-9]{2}-[0-9]{2})-[a-f0-9]+$'],
  ['master-95', '^master-([0-9]+)$'],
  ['bookworm-20240701', null],
  ['nightly-20240501', null],
  ['stable-2.14.10', null],
  ['1.2.3', null],
])('tags such as %s are ordered by the pattern %s', (tag, pattern) => {
  expect(versionPatternOf(tag)).toBe(pattern);
});
