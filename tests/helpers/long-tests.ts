/**
 * True if `PACEKEEPER_LONG_TESTS=1` selects the long forms of the tests: more rounds, larger numbers, and
 * every variant. The short forms detect the same faults.
 */
export const isLong = process.env['PACEKEEPER_LONG_TESTS'] === '1';

/** Test files without a short form. They run only with `PACEKEEPER_LONG_TESTS=1`. */
export const longFiles: readonly string[] = ['**/*.long.test.ts', '**/*.long.isolated.test.ts'];
