import { expect, test } from 'vitest';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { summarizeNotes } from './release-notes-sentences.ts';

type ReleaseNotes = Schemas['ReleaseNotes'];

function sentence(totals: Partial<ReleaseNotes['totals']>, listed = 0): string {
  const release = {
    hints: [{ kind: 'breaking', text: 'x', line: 1 }],
  } as unknown as Schemas['ReleaseWithNotes'];
  return summarizeNotes({
    from: '1.0',
    to: '2.0',
    releases: Array.from({ length: listed }, () => release),
    totals: {
      releases: 240,
      is_exact: true,
      with_notes: 240,
      read: 240,
      hints: 0,
      breaking: 0,
      ...totals,
    },
  });
}

test('the summary makes no claims about release notes that weren’t read', () => {
  expect(sentence({})).toBe('240 releases after 1.0, up to 2.0. Nothing is marked as breaking.');
  expect(sentence({ with_notes: 0 })).toBe('240 releases after 1.0, up to 2.0. No release notes were found.');
  expect(sentence({ read: 80 })).toBe(
    "240 releases after 1.0, up to 2.0. Nothing is marked as breaking in the newest 80 releases. Older notes weren't read.",
  );
  expect(sentence({ is_exact: false })).toBe(
    "At least 240 releases after 1.0, up to 2.0. Nothing is marked as breaking in the newest 240 releases. Older notes weren't read.",
  );
});

test('breaking releases are counted even if they aren’t listed', () => {
  expect(sentence({ breaking: 1 }, 1)).toBe('240 releases after 1.0, up to 2.0. 1 is marked as breaking.');
  expect(sentence({ breaking: 3, read: 80 }, 1)).toBe(
    "240 releases after 1.0, up to 2.0. 3 are marked as breaking in the newest 80 releases (2 of them aren't listed here). Older notes weren't read.",
  );
});
