import { expect, test } from 'vitest';
import { autoScheme } from './auto-scheme.ts';
import { versionWordLists } from './version-word-lists.ts';
import * as lists from './version-words.ts';

const {
  ignoredWords: ornamentWords,
  ignoredSuffixWords: emptyWords,
  platformWords,
  codeNames,
  revisionWords,
  stageWords,
} = lists;

test('each word is in only one list', () => {
  const all = [ornamentWords, emptyWords, platformWords, codeNames, revisionWords, ...stageWords];
  const words = all.flatMap((list) => [...list]);
  // `release` is in two lists because it has no meaning either before or after the numbers. `b` is a stage directly
  // after the numbers, but marks a build number elsewhere.
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual(['release', 'b']);
});

test('words are in lowercase, because they are compared in lowercase', () => {
  const all = [ornamentWords, emptyWords, platformWords, codeNames, revisionWords, ...stageWords];
  for (const word of all.flatMap((list) => [...list])) expect(word).toMatch(/^[a-z]+$/);
  for (const name of lists.namesWithDigits) expect(name).toMatch(/^[a-z0-9_]*[0-9][a-z0-9_]*$/);
});

test('every list is in the documentation, with examples that are parsed as versions', () => {
  const documented = new Set(versionWordLists.flatMap((list) => list.words));
  const { levelOfStage: _, ...sets } = lists;
  for (const [name, list] of Object.entries(sets))
    for (const word of [...list].flatMap((each) => (typeof each === 'string' ? [each] : [...each])))
      expect(documented, `${word} of ${name}`).toContain(word);
  for (const { examples } of versionWordLists)
    for (const example of examples) expect(autoScheme.parse(example), example).not.toBeNull();
});
