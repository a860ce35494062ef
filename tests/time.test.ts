import { describe, expect, test } from 'vitest';
import { codeLinesMatching, filesOf } from './helpers/source-lines.ts';

describe('the clock', () => {
  test('of the process is never used for decisions', () => {
    const files = [
      ...filesOf('src/domain', /\.ts$/),
      ...filesOf('src/modules', /\.ts$/),
      ...filesOf('src/platform/due-rows', /\.ts$/),
    ];
    expect(codeLinesMatching(files, /Date\.now\(|new Date\(\)/)).toEqual([]);
  });

  test('of a statement is always pacekeeper_now()', () => {
    const files = [...filesOf('src', /\.ts$/), ...filesOf('migrations', /\.sql$/)].filter(
      (file) => !/0001_foundation.sql|schema.sql|migrate.ts/.test(file),
    );
    expect(
      codeLinesMatching(
        files,
        /(?<!pacekeeper_|performance\.)\b(now|clock_timestamp|transaction_timestamp|statement_timestamp)\(\)|\bcurrent_timestamp\b/i,
      ),
    ).toEqual([]);
  });
});
