/**
 * True if `PACEKEEPER_LONG_TESTS=1` selects the long forms of the tests: more rounds, larger numbers, and
 * every variant. The short forms detect the same faults.
 */
export const isLong = process.env['PACEKEEPER_LONG_TESTS'] === '1';
