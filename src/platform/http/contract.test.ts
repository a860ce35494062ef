import { expect, test } from 'vitest';
import { readContract } from './contract.ts';

test('the contract is read and its schemas are compiled once per process, even with several servers', () => {
  const [first, second] = [readContract('client'), readContract('client')];
  const validators = [first, second].map((operations) =>
    operations.find(({ operationId }) => operationId === 'createRule')!.validateBody(),
  );
  expect(validators[0]).toBe(validators[1]);
});
