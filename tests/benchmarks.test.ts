import { expect, test } from 'vitest';
import { secretKey } from '../benchmarks/evaluation-world.ts';
import { parseSecretKey } from '../src/platform/secrets/index.ts';

// Without this test, an invalid key would only be found when someone runs the benchmarks.
test('the benchmark servers accept their secret key', () => {
  expect(parseSecretKey(secretKey.toString('base64'))).toEqual(secretKey);
});
