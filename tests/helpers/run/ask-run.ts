import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import type { RunResources } from './run-resources.ts';

const answers = new Map<keyof RunResources, Promise<unknown>>();

/**
 * Returns a resource that all test files of a run share, such as the PostgreSQL cluster. The main process creates the
 * resource when a file first requests it, and removes it at the end of the run.
 */
export function requestRunResource<Name extends keyof RunResources>(name: Name): Promise<RunResources[Name]> {
  let answer = answers.get(name);
  if (!answer) {
    answer = request(name);
    answers.set(name, answer);
  }
  return answer as Promise<RunResources[Name]>;
}

async function request(name: string): Promise<unknown> {
  const socket = createConnection(inject('runSocket'));
  socket.write(name);
  const answer = JSON.parse(await text(socket)) as { value: unknown } | { error: string };
  if ('error' in answer) throw new Error(`The test run can't provide "${name}": ${answer.error}`);
  return answer.value;
}
