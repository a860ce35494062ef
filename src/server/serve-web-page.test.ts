import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../tests/helpers/temporary-folder.ts';
import { createHttpServer } from '../platform/http/index.ts';
import { createLog } from '../platform/log.ts';
import { serveWebPage } from './serve-web-page.ts';

const script = 'console.log("here")';
let folder: string;

beforeAll(() => {
  folder = temporaryFolder();
  mkdirSync(path.join(folder, 'assets'));
  mkdirSync(path.join(folder, 'docs'));
  writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>page</title>');
  writeFileSync(path.join(folder, 'favicon.svg'), '<svg/>');
  writeFileSync(path.join(folder, 'assets/main-abc.js'), script);
  writeFileSync(path.join(folder, 'assets/main-abc.js.br'), brotliCompressSync(script));
  writeFileSync(path.join(folder, 'docs/index.html'), '<!doctype html><title>docs</title>');
  writeFileSync(path.join(folder, 'docs/rules.html'), '<!doctype html><title>rules</title>');
});

async function get(url: string, headers: Record<string, string> = {}, from = folder, basePath = '') {
  const log = createLog({ level: 'silent', format: null });
  const app = await createHttpServer({ log, basePath, trustedProxies: [], isUnavailable: () => false });
  await serveWebPage(app, { basePath, folder: from });
  const answer = await app.inject({ url, headers });
  await app.close();
  return answer;
}
const browser = { accept: 'text/html,application/xhtml+xml' };

describe('the web app', () => {
  test.each(['/', '/alerts', '/alerts/88?tab=trail', '/nothing/like/that', `/alerts?q=${'x'.repeat(600)}`])(
    'serves the same document at %s',
    async (url) => {
      const answer = await get(url, browser);
      expect([answer.statusCode, answer.body]).toEqual([200, '<!doctype html><title>page</title>']);
      expect(answer.headers['cache-control']).toBe('no-cache');
    },
  );

  test('runs only scripts from its own files and cannot be framed', async () => {
    const policy = String((await get('/', browser)).headers['content-security-policy']);
    expect(policy).toMatch(/script-src 'self';/);
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).toMatch(/frame-ancestors 'none'/);
    expect(/script-src[^;]*(unsafe|https?:|\*)/.test(policy)).toBe(false);
  });

  test.each(['application/json', '*/*', undefined])(
    'at / returns links to the docs and the API for programs that accept %s',
    async (accept) => {
      const answer = await get('/', accept === undefined ? {} : { accept });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toContain('application/json');
      expect(answer.json()).toMatchObject({
        docs: '/docs',
        api_reference: '/api/v1/swagger',
        api_description: '/api/spec/openapi-client.yaml',
      });
    },
  );

  test('is only for browsers, and other programs get a 404 error that refers to the API description', async () => {
    expect((await get('/alerts', { accept: 'application/json' })).json()).toMatchObject({
      code: 'not_found',
      detail: "This path doesn't exist. See the API description at /api/v1/swagger.",
    });
    expect((await get('/alerts')).statusCode).toBe(404);
  });

  test.each([
    '/api/v1/client/nothing',
    '/api',
    '/ack',
    '/health/x',
    '/metrics/x',
    '/assets/gone.js',
    '/badge/x',
    '/calendar/x',
  ])('is not served in place of %s', async (url) => {
    expect((await get(url, browser)).statusCode).toBe(404);
  });

  test('sends files with a content hash in their names as immutable, and compressed if the browser supports it', async () => {
    const answer = await get('/assets/main-abc.js', { 'accept-encoding': 'br, gzip' });
    expect(answer.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(script);
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.headers['content-type']).toMatch(/javascript/);
    expect((await get('/assets/main-abc.js')).body).toBe(script);
    expect((await get('/favicon.svg')).headers['cache-control']).toBe('no-cache');
  });

  test.each([
    '/../package.json',
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets//etc/passwd',
  ])('serves no files from outside its directory: %s', async (url) => {
    expect((await get(url)).statusCode).toBe(404);
  });

  test('shows the build command if it is not built', async () => {
    expect((await get('/', browser, path.join(folder, 'nowhere'))).body).toContain('npm run build:web');
  });
});

describe('the documentation', () => {
  test.each([
    ['/docs', 'docs'],
    ['/docs/rules', 'rules'],
  ])('is served at %s without any scripts', async (url, title) => {
    const answer = await get(url);
    expect(answer.body).toContain(`<title>${title}</title>`);
    expect(String(answer.headers['content-security-policy'])).toMatch(
      /^default-src 'none'; style-src 'self'/,
    );
  });

  test.each(['/docs/none', '/docs/rules.html', '/docs/..%2findex'])('has no page %s', async (url) => {
    expect((await get(url, browser)).statusCode).toBe(404);
  });
});
