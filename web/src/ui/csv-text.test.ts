import { expect, test } from 'vitest';
import { toCsv } from './csv-text.ts';

test.each([
  ['=HYPERLINK("http://evil.example")', `"'=HYPERLINK(""http://evil.example"")"`],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@x', "'@x"],
  ['\t=1', "'\t=1"],
  [-1, '-1'],
  ['a,b', '"a,b"'],
  ['two\nlines', '"two\nlines"'],
  ['1.10', '1.10'],
  [null, ''],
  [{ team: 'web' }, '"{""team"":""web""}"'],
])('%j is the cell %s, which no spreadsheet runs', (value, cell) => {
  expect(toCsv(['value'], [[value]])).toBe(`value\r\n${cell}\r\n`);
});
