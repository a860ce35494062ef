import { expect, test } from 'vitest';
import { toCsv } from './csv-text.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['=HYPERLINK("http://evil.example")', `"'=HYPERLINK(""http://evil.example"")"`],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', `"'\t=1"`],
  ['\r=1', `"'\r=1"`],
  ['＝1', "'＝1"],
  [-1, '-1'],
  [true, 'true'],
  ['a,b', '"a,b"'],
  ['a;=1+1', '"a;=1+1"'],
  ['a\t=1+1', '"a\t=1+1"'],
  ['a"b', '"a""b"'],
  ['two\nlines', '"two\nlines"'],
  ['1.10', '1.10'],
  [null, ''],
  [undefined, ''],
  [{ team: 'web' }, '"{""team"":""web""}"'],
])('%j is the cell %s, which no spreadsheet runs', (value, cell) => {
  expect(toCsv(['x', '=y'], [[value, 'z']])).toBe(`x,'=y\r\n${cell},z\r\n`);
});
