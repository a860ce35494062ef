import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

function filesOf(folder: string, ending: string): string[] {
  return readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending) && !file.includes('.test.') && !file.includes('-fixture'))
    .map((file) => `${folder}/${file}`);
}

/** Lines of code, not of comments, that match. */
function linesWith(files: string[], pattern: RegExp): string[] {
  return files.flatMap((file) =>
    readFileSync(`${root}/${file}`, 'utf8')
      .split('\n')
      .map((line, index) => ({ line: line.trim(), place: `${file}:${index + 1}` }))
      .filter(({ line }) => pattern.test(line) && !/^(\*|\/\/|\/\*|--)/.test(line))
      .map(({ line, place }) => `${place}: ${line}`),
  );
}

describe('there is one clock, the database’s', () => {
  test('no decision asks the clock of its process', () => {
    const files = [
      ...filesOf('src/domain', '.ts'),
      ...filesOf('src/modules', '.ts'),
      ...filesOf('src/platform/due-rows', '.ts'),
    ];
    expect(linesWith(files, /Date\.now\(|new Date\(\)/)).toEqual([]);
  });

  test('no statement asks PostgreSQL for another time than pacekeeper_now()', () => {
    const files = [...filesOf('src', '.ts'), ...filesOf('migrations', '.sql')].filter(
      (file) => !/0001_time.sql|migrate.ts/.test(file),
    );
    expect(
      linesWith(
        files,
        /(?<!pacekeeper_|performance\.)\b(now|clock_timestamp|transaction_timestamp|statement_timestamp)\(\)|\bcurrent_timestamp\b/i,
      ),
    ).toEqual([]);
  });
});
