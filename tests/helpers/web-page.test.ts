import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { webFolder } from '../../src/server/serve-web-page.ts';
import { ensureWebPage } from './web-page.ts';

test('tests use the production build of the web page', async () => {
  await ensureWebPage();
  const scripts = globSync('assets/*.js', { cwd: webFolder });
  expect(scripts).not.toEqual([]);
  // Only React's development build contains this URL.
  const isForDevelopment = (script: string) =>
    readFileSync(path.join(webFolder, script), 'utf8').includes('react.dev/link/react-devtools');
  expect(scripts.filter(isForDevelopment)).toEqual([]);
});
