import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { killGit, startGit } from './git-process.ts';

test.runIf(existsSync('/proc/self/oom_score_adj'))(
  'git is the first process that the kernel kills when memory runs out',
  async () => {
    const args = ['hash-object', '--stdin'];
    const child = startGit({ args, env: { PATH: process.env['PATH']! }, cwd: tmpdir() });
    await expect
      .poll(() => readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').split('\0')[0])
      .toMatch(/^git$/u);
    expect(readFileSync(`/proc/${child.pid}/oom_score_adj`, 'utf8').trim()).toBe('1000');
    killGit(child);
    await once(child, 'close');
  },
);
