import { expect, test } from 'vitest';
import {
  SandboxBusyError,
  SandboxClosedError,
  type SandboxError,
  SandboxJobError,
  SandboxMemoryError,
  SandboxTimeoutError,
} from '../../platform/sandbox/index.ts';
import { readNamesInSandbox } from './read-names.ts';

const large = Buffer.from(JSON.stringify({ commits: 'x'.repeat(100_000) }));
const read = (error: SandboxError) =>
  readNamesInSandbox(
    { run: () => Promise.reject(error) },
    { kind: 'github', organizationId: 1 },
    { headers: {}, body: large },
  );

test.each([
  ['is busy', new SandboxBusyError()],
  ['is closed', new SandboxClosedError()],
])('an event is rejected with a retry time if the sandbox %s', async (_, error) => {
  await expect(read(error)).rejects.toMatchObject({ status: 503, options: { retryAfterSeconds: 2 } });
});

test.each([
  ['time', new SandboxTimeoutError(2_000)],
  ['memory', new SandboxMemoryError(64)],
])('an event that takes too much %s is rejected with an explanation', async (_, error) => {
  await expect(read(error)).rejects.toMatchObject({
    status: 400,
    message: 'body: takes too much time or memory to read. Send a smaller event',
  });
});

test("an internal defect isn't reported as an error of the sender", async () => {
  const defect = new SandboxJobError('broken');
  await expect(read(defect)).rejects.toBe(defect);
});
