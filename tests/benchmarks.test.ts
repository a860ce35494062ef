import { expect, test } from 'vitest';
import { secretKey } from '../benchmarks/evaluation-world.ts';
import { parseSecretKey } from '../src/platform/secrets/index.ts';

// Nothing else starts the servers of the benchmarks before somebody measures.
test('the servers of the benchmarks accept their secret key', () => {
  expect(parseSecretKey(secretKey.toString('base64'))).toEqual(secretKey);
});
