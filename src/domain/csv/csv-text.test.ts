import { expect, test } from 'vitest';
import { toCsv } from './csv-text.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['=HYPERLINK("http://evil.example")', `"'=HYPERLINK(""http://evil.example"")"`],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', `"'\t=1"`],
  ['\r=1', '\\u000d=1'],
  ['\u001b[2J\u001b[31mred', '\\u001b[2J\\u001b[31mred'],
  ['\u009b2Jred', '\\u009b2Jred'],
  ['a\0b\u007fc', 'a\\u0000b\\u007fc'],
  ['\u202egnp.exe\u2066', '\\u202egnp.exe\\u2066'],
  ['two\r\nlines', '"two\nlines"'],
  ['one\rline', 'one\\u000dline'],
  [{ team: '\u007f\u009b' }, '"{""team"":""\\u007f\\u009b""}"'],
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
])('%j becomes the cell %s, which no spreadsheet executes', (value, cell) => {
  expect(toCsv(['x', '=y'], [[value, 'z']])).toBe(`x,'=y\r\n${cell},z\r\n`);
});
