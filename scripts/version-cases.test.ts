import { expect, test } from 'vitest';
import { hasTestData, testDataPath } from '../tests/helpers/test-data.ts';
import { measureVersionCases } from './version-cases.ts';

/** Cases that can't be decided from the tags, with the reason. */
const undecided: Readonly<Record<string, string>> = {
  'mistag-otel-operator': 'only four lower releases followed the mistyped v1.51.0 in two months',
  noderedminimal: 'no word in the tags shows that 18 and 20 are Node versions; a candidate_pattern can',
  'lsio-qbittorrent-nodates': 'without dates, nothing shows that 20.04.1 and 14.x are older',
  'netfetch-lower': 'only two releases with the lower numbers exist',
  'netfetch-lower-5': 'only two releases with the lower numbers exist',
  'eol-apache-couchdb': '3.5.2.post2 came after 3.5.2; the tags of Python packages are read the same way',
};

test.skipIf(!hasTestData)(
  'every case of a real tag list has the expected result, except for the listed undecidable ones',
  () => {
    const measured = measureVersionCases(testDataPath('version-cases/cases.json'));
    const wrong = measured.filter(({ isRight }) => !isRight);
    expect(wrong.filter(({ id }) => undecided[id] === undefined)).toEqual([]);
    expect(wrong.filter(({ wasRight }) => wasRight)).toEqual([]);
    expect(measured.length - wrong.length).toBeGreaterThanOrEqual(145);
  },
);
