import { expect, test } from 'vitest';
import { nameAfter } from './derived-name.ts';

test.each([
  ['its last part', 'cpython', 'github.com/python/cpython', 'github.com/pypy/pypy', 'pypy'],
  ['its last part, without .git', 'app', 'https://git.example.org/a/app.git', 'ghcr.io/a/web', 'web'],
  ['all of it', 'ghcr.io/acme/web', 'ghcr.io/acme/web', 'ghcr.io/acme/shop', 'ghcr.io/acme/shop'],
  [
    'all of it, without a scheme',
    'git.example.org/app',
    'https://git.example.org/app.git',
    'quay.io/a/b',
    'quay.io/a/b',
  ],
  ['something else', 'Python', 'github.com/python/cpython', 'github.com/pypy/pypy', 'Python'],
  ['nothing', '', '', 'github.com/pypy/pypy', ''],
])(
  'the name of a source that was derived from its artifact (%s) follows the artifact',
  (_, name, before, after, expected) => {
    expect(nameAfter(name, before, after)).toBe(expected);
  },
);
