// Loaded by programs that tests start, so that their own processes and threads count too. Plain JavaScript, because
// stripping types would slow down each of these starts.
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { isMainThread } from 'node:worker_threads';

const file = process.env['PACEKEEPER_TEST_STARTS'];
const count = (kind) => appendFileSync(file, `${kind}\n`);
if (file && isMainThread) {
  subscribe('tracing:child_process.spawn:end', ({ process: child }) =>
    count(child.spawnargs.some((arg) => path.basename(arg) === 'initdb') ? 'initdb' : 'processes'),
  );
  subscribe('worker_threads', () => count('threads'));
}
