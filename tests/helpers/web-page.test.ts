import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { webFolder } from '../../src/server/serve-web-page.ts';
import { ensureWebPage } from './web-page.ts';

test('tests see the page that people get, not one for development', async () => {
  await ensureWebPage();
  const scripts = globSync('assets/*.js', { cwd: webFolder });
  expect(scripts).not.toEqual([]);
  // What React's development version says to developers.
  const isForDevelopment = (script: string) =>
    readFileSync(path.join(webFolder, script), 'utf8').includes('react.dev/link/react-devtools');
  expect(scripts.filter(isForDevelopment)).toEqual([]);
});
