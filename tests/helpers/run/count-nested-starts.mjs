// Every program that tests start loads this file, so that the processes and threads of these programs are counted too.
// It is plain JavaScript, because stripping types would slow down each start.
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
