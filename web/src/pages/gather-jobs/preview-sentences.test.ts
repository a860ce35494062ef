import { expect, test } from 'vitest';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { previewSentences } from './preview-sentences.ts';

type Preview = Schemas['PreviewGatherJobResponse'];

const latest = { version: '1.1.0', released_at: null };
const plain = { line: '', variant: '', count: 3, latest, is_compared: true };
const cli = {
  line: 'cli',
  variant: 'alpine',
  count: 9,
  latest: {
    version: 'cli-2.0-alpine',
    released_at: null,
  },
  is_compared: false,
};
const preview: Preview = {
  release_count: 3,
  is_complete: true,
  list_doubt: null,
  unmatched: {
    count: 0,
    examples: [],
  },
  latest,
  lines: [plain],
  line_count: 1,
  jump: null,
  left_out: [],
  deployed: null,
};
const first = (values: Partial<Preview>) => previewSentences({ ...preview, ...values }, null)[0];

test('the first sentence contains the latest release, its line, and the reason for that line', () => {
  expect(first({})).toBe('The latest release is 1.1.0, considering only releases without a name or variant.');
  expect(first({ lines: [plain, cli] })).toBe(
    'The latest release is 1.1.0, considering only releases without a name or variant. These are preferred over releases with a name.',
  );
  expect(first({ latest: cli.latest, lines: [cli, plain] })).toBe(
    'The latest release is cli-2.0-alpine, considering only releases named cli of the variant alpine. These are preferred because releases without a name are more than a year older.',
  );
  expect(first({ latest: cli.latest, lines: [cli, { ...cli, line: 'web' }] })).toContain(
    'These are preferred because they were the most frequent in the last two years.',
  );
  expect(first({ latest: null, lines: [] })).toBe('No release has a version that can be compared.');
});

test('the highest release is not called the latest if newer releases might be missing from the list', () => {
  expect(first({ list_doubt: 'mirror_only' })).toBe(
    'The newest release in your mirror is 1.1.0, considering only releases without a name or variant.',
  );
  expect(first({ list_doubt: 'list_incomplete' })).toBe(
    'The newest release in the list, which is incomplete, is 1.1.0, considering only releases without a name or variant.',
  );
  const behind_by = {
    days_behind: 0,
    majors_behind: 0,
    minors_behind: 0,
    upstream_silent: null,
    end_of_life: null,
    known_vulnerabilities: null,
  };
  const deployed = {
    match: 'exact',
    release: '1.1.0',
    adopted_line: null,
    latest: '1.1.0',
    behind_by,
  } as const;
  for (const [list_doubt, end] of [
    [null, 'up to date'],
    ['mirror_only', 'nothing newer in your mirror'],
    ['list_incomplete', 'nothing newer in the incomplete list'],
  ] as const)
    expect(previewSentences({ ...preview, deployed, list_doubt }, '1.1.0')).toContain(
      `Compared with 1.1.0: ${end}.`,
    );
  // The lag in whole days is 0 on the day on which a newer patch appears.
  expect(previewSentences({ ...preview, deployed: { ...deployed, latest: '1.1.1' } }, '1.1.0')).toContain(
    'Compared with 1.1.1: 0 days behind, 0 major versions behind, 0 minor versions behind.',
  );
});

test('a deployed version is matched with a release and compared', () => {
  const behind_by = {
    days_behind: 12,
    majors_behind: 0,
    minors_behind: 1,
    upstream_silent: 400,
    end_of_life: null,
    known_vulnerabilities: null,
  };
  const deployed: Preview['deployed'] = {
    match: 'exact',
    release: '1.0.0',
    adopted_line: null,
    latest: '1.1.0',
    behind_by,
  };
  expect(previewSentences({ ...preview, deployed }, '1.0.0')).toEqual([
    'The latest release is 1.1.0.',
    '1.0.0 is deployed and matches an upstream release.',
    "It's compared with releases without a name or variant.",
    'Compared with 1.1.0: 12 days behind, 1 minor version behind.',
  ]);
  const none = {
    days_behind: null,
    majors_behind: null,
    minors_behind: null,
    upstream_silent: 400,
    end_of_life: null,
    known_vulnerabilities: null,
  };
  const unknown = {
    ...deployed,
    match: 'unparseable' as const,
    release: null,
    latest: null,
    behind_by: none,
  };
  expect(previewSentences({ ...preview, lines: [], deployed: unknown }, 'main')).toEqual([
    'The latest release is 1.1.0.',
    "main is deployed, but it isn't a version Pacekeeper can compare.",
  ]);
});

test('excluded releases are counted, with examples', () => {
  const sentences = previewSentences(
    {
      ...preview,
      is_complete: false,
      unmatched: { count: 5, examples: ['a', 'b', 'c'] },
      left_out: [{ reason: 'outlier', count: 1, examples: ['20260805'] }],
    },
    null,
  );
  expect(sentences.slice(1)).toEqual([
    "5 tags don't match the version pattern (a, b, c, …).",
    "Never the latest: 1 release that doesn't fit the others (20260805).",
    'Only the highest 10,000 releases are shown here. Monitors use all of them.',
  ]);
});
