import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Rows of the table: the location of a requirement, the requirement, and the test that verifies it. */
const rows = readFileSync(path.join(root, 'tests/contract/seed-sentences.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| *\d+:\d+ /.test(line))
  .map((line) => {
    const [place = '', demand = '', file = '', title = ''] = line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('\\|', '|'));
    return { place, demand, file: file.replaceAll('`', ''), title };
  });

describe('the requirements of the client interface', () => {
  test('form a complete list with a test for each', () => {
    expect(rows.length).toBeGreaterThan(120);
    expect(rows.filter(({ demand, file, title }) => demand === '' || file === '' || title === '')).toEqual(
      [],
    );
    // A place is `part:line`. The list covers all nine parts of the description of the client interface.
    expect([...new Set(rows.map(({ place }) => place.split(':')[0]))]).toEqual('123456789'.split(''));
  });

  test.each(rows)('refer to existing tests: $place $demand', ({ file, title }) => {
    expect(existsSync(path.join(root, file)), file).toBe(true);
    const text = readFileSync(path.join(root, file), 'utf8');
    const quoted = ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`));
    expect(quoted, `${file} has a test "${title}"`).toBe(true);
    expect(text, `${file} skips no test`).not.toMatch(/\b(test|describe)\.(skip|todo)\b/);
  });
});
