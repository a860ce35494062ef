import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { takeServeLock } from '../../src/platform/database/serve-lock.ts';
import { countProcessStarts, startsFileVariable } from './run/count-starts.ts';
import { createRunResources, runFolderPrefix } from './run/run-resources.ts';
import { fastestTemporaryFolder } from './temporary-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The Unix socket at which `askRun` requests the resources of the run. */
    runSocket: string;
  }
}

/**
 * Starts a server that provides the resources that all test files of a run share. It runs in the main process, so that
 * the resources outlive the worker that requested them first.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(fastestTemporaryFolder, runFolderPrefix));
  // If the tests run as root, PostgreSQL and some programs run as other users, who must be able to enter this
  // directory.
  chmodSync(folder, 0o711);
  const starts = path.join(folder, 'starts');
  writeFileSync(starts, '');
  chmodSync(starts, 0o666);
  process.env[startsFileVariable] = starts;
  countProcessStarts();
  takeServeLock(folder);
  const resources = createRunResources(folder);
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.once('data', (name) => {
      resources.get(name.toString()).then(
        (value) => socket.end(JSON.stringify({ value })),
        (error: unknown) => socket.end(JSON.stringify({ error: String(error) })),
      );
    });
    // A killed worker resets its connection, which must not end the run.
    socket.on('error', () => socket.destroy());
  });
  const socketPath = path.join(folder, 'resources');
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  project.provide('runSocket', socketPath);

  return async () => {
    server.close();
    await resources.close();
    rmSync(folder, { recursive: true, force: true });
  };
}
