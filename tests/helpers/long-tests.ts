/**
 * Whether the long forms run, with `PACEKEEPER_LONG_TESTS=1`: more rounds, larger numbers, every variant. The short ones
 * look for the same faults.
 */
export const isLong = process.env['PACEKEEPER_LONG_TESTS'] === '1';
