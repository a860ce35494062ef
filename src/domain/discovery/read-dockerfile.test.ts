import { expect, test } from 'vitest';
import { readDockerfile } from './read-dockerfile.ts';

test('a Dockerfile yields at most its first 20,000 instructions', () => {
  const instructions = readDockerfile('RUN make\n'.repeat(20_001));
  expect(instructions).toHaveLength(20_000);
  expect(instructions.at(-1)).toEqual({ keyword: 'RUN', value: 'make', line: 20_000, comment: null });
});
