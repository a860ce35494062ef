import { expect, test } from 'vitest';
import { labelledNotes } from '../../../tests/helpers/labelled-notes.ts';
import { findHints } from './find-hints.ts';

test('at least 90 % of the lines labeled as breaking are found as hints, and at most 10 % of these hints are wrong', () => {
  expect(labelledNotes).toHaveLength(60);
  let labelled = 0;
  let found = 0;
  let wrong = 0;
  for (const { notes, breakingLines } of labelledNotes) {
    const hints = findHints(notes)
      .filter(({ kind }) => kind === 'breaking' || kind === 'action_required' || kind === 'removed')
      .map(({ line }) => line);
    labelled += breakingLines.length;
    found += breakingLines.filter((line) => hints.includes(line)).length;
    wrong += hints.filter((line) => !breakingLines.includes(line)).length;
  }
  expect(labelled).toBeGreaterThan(40);
  expect(found / labelled).toBeGreaterThanOrEqual(0.9);
  expect(wrong / (found + wrong)).toBeLessThanOrEqual(0.1);
});
