import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ensureWebPage } from './helpers/web-page.ts';

const dist = fileURLToPath(new URL('../web/dist', import.meta.url));

/**
 * Size limit in bytes of the Brotli-compressed scripts. benchmarks/browser.bench.ts measures the same size.
 */
const maxBytes = 190_000;

test('login and Today load at most 190 kB of compressed scripts', async () => {
  await ensureWebPage();
  const page = readFileSync(`${dist}/index.html`, 'utf8');
  // The page contains links to all modules that the first script imports, because Vite preloads them.
  const files = [...page.matchAll(/(?:src|href)="\.(\/[^"]+\.js)"/g)].map(([, file]) => file!);
  expect(files.length).toBeGreaterThan(3);
  const sizes = files.map((file) => [file, statSync(`${dist}${file}.br`).size] as const);
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  expect(total, JSON.stringify(sizes)).toBeLessThanOrEqual(maxBytes);
});
