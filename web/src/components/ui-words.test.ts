import { expect, test } from 'vitest';
import { settingDefinitions } from '../../../src/modules/settings/setting-keys.ts';
import { toUiWords } from './ui-words.ts';

test('sentences of the API are shown with the words of the UI', () => {
  const check = (text: string, shown: string) => expect(toUiWords(text)).toBe(shown);
  check('Maximum releases a gather job keeps.', 'Maximum releases an upstream source keeps.');
  check('Label of a scrape job that names it.', 'Label of a version tracker that names it.');
  check('Alert configuration labels to include.', 'Monitor labels to include.');
  check('The lag of an alert configuration.', 'The lag of a monitor.');
  check('A gather job, or two gather jobs.', 'An upstream source, or two upstream sources.');
  check('All helm sync jobs.', 'All Helm repositories.');
  check('A version that no extractor reads.', 'A version that no built-in pattern reads.');
});

test('a discovery job has the same name for repositories, clusters, and hosts', () => {
  expect(toUiWords('Those of each discovery job.')).toBe('Those of each discovery job.');
});

test('the descriptions of settings contain no word of the API after that', () => {
  for (const { description } of Object.values(settingDefinitions))
    expect(toUiWords(description)).not.toMatch(
      /(scrape|gather|helm sync) job|alert configuration|extractor/i,
    );
});
