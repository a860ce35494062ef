import { describe, expect, test } from 'vitest';
import { checkRef, checkTargetFile, parseRepositoryUrl } from './repository-url.ts';

describe('repository URLs', () => {
  test.each([
    ['https://github.com/acme/deploy', 'https://github.com/acme/deploy', 'https', 'github.com'],
    ['https://github.com/acme/deploy.git/', 'https://github.com/acme/deploy.git', 'https', 'github.com'],
    ['http://127.0.0.1:3000/acme/deploy', 'http://127.0.0.1:3000/acme/deploy', 'http', '127.0.0.1:3000'],
    ['git@github.com:acme/deploy.git', 'ssh://git@github.com/acme/deploy.git', 'ssh', 'github.com'],
    [
      'ssh://git@example.org:2222/acme/deploy',
      'ssh://git@example.org:2222/acme/deploy',
      'ssh',
      'example.org:2222',
    ],
  ])('%s is accepted', (text, url, scheme, host) => {
    expect(parseRepositoryUrl(text)).toEqual({ ok: true, url, scheme, host });
  });

  test.each([
    '--upload-pack=touch /tmp/x',
    '-oProxyCommand=id',
    'file:///etc/passwd',
    'ext::sh -c id',
    '/etc',
    'https://user:secret@github.com/acme/deploy',
    'https://token@github.com/acme/deploy',
    'ssh://-oProxyCommand=id/acme',
    'ssh://git:pw@example.org/acme',
    'ssh://-x@example.org/acme',
    'https://github.com/',
    'https://github.com/acme/../../x%2e%2e/%2e%2e',
    'https://github.com/acme/deploy?x=1',
    'https://github.com/acme/de ploy',
    'git://github.com/acme/deploy',
    'deploy',
    'nope',
    'https://nope',
    'https://.../acme',
    'https://a..b/acme',
    'https://example.org:0/acme',
    '',
    // 2,022 characters as written, and about 7,000 when encoded.
    `https://github.com/acme/${'é'.repeat(1_000)}${'x'.repeat(998)}`,
  ])('%s is rejected with a message', (text) => {
    expect(parseRepositoryUrl(text)).toMatchObject({ ok: false, message: expect.any(String) });
  });
});

test('an unsupported scheme is rejected with the list of allowed schemes', () => {
  expect(parseRepositoryUrl('git://git.lan/acme/deploy')).toMatchObject({
    ok: false,
    message: 'must start with https:// or ssh://, or with http:// for a host in PACEKEEPER_INSECURE_HOSTS',
  });
});

describe('refs and files', () => {
  test.each(['HEAD', 'main', 'release/1.2', 'v1.2.3', '9fceb02d0ae598e95dc970b74767f19372d61af8'])(
    'ref %s is accepted',
    (ref) => {
      expect(checkRef(ref)).toBeNull();
    },
  );
  test.each([
    '-x',
    '--exec=id',
    'a..b',
    'a b',
    'HEAD~1',
    'main:file',
    '@{u}',
    'x.lock',
    'refs//x',
    '.x',
    'a\n',
  ])('ref %j is rejected', (ref) => {
    expect(checkRef(ref)).not.toBeNull();
  });
  test.each(['values.yaml', 'charts/web/values.yaml', '.github/workflows/x.yml'])(
    'file %s is accepted',
    (file) => {
      expect(checkTargetFile(file)).toBeNull();
    },
  );
  test.each(['/etc/passwd', '../x', 'a/../b', 'a//b', './x', '.git/config', 'a/.GIT/x', 'a\0b'])(
    'file %j is rejected',
    (file) => {
      expect(checkTargetFile(file)).not.toBeNull();
    },
  );
});
