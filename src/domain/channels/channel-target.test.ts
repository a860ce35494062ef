import { expect, test } from 'vitest';
import { secretsToReenter, targetChange } from './channel-target.ts';

const before = { url: 'https://hooks.example.com/a', preset: 'slack' };

test.each<[string, ReturnType<typeof targetChange>]>([
  ['https://hooks.example.com/a', null],
  ['https://hooks.example.com/b?c#d', null],
  ['HTTPS://HOOKS.example.COM:443/', null],
  [' https://hooks.example.com/ ', null],
  ['https://hooks%2eexample.com/', null],
  ['https://user@hooks.example.com/', null],
  ['http://hooks.example.com/a', 'origin'],
  ['https://hooks.example.com:8443/a', 'origin'],
  ['https://hooks.example.com./a', 'origin'],
  ['https://hooks.example.com@other.example/a', 'origin'],
  ['https://hooks.example.com.other.example/a', 'origin'],
  ['https://hооks.example.com/a', 'origin'],
  ['https://example.com/a', 'origin'],
  ['no URL', 'origin'],
])('changing the URL to %s is classified as %s', (url, change) => {
  expect(targetChange(before, { url, preset: 'slack' })).toBe(change);
  expect(targetChange(before, { url, preset: 'discord' })).toBe(change ?? 'preset');
});

const stored = {
  headerNames: ['X-Key', 'Authorization'],
  hasClosingPath: true,
  hasPresetOptions: true,
  hasSigningSecret: true,
  hasToken: true,
};

test.each<[Parameters<typeof secretsToReenter>[1], string[]]>([
  [
    {},
    ['headers.X-Key', 'headers.Authorization', 'closing_path', 'preset_options', 'signing_secret', 'token'],
  ],
  [{ headers: { 'X-Key': 'new' }, closing_path: '/x', preset_options: {} }, ['signing_secret', 'token']],
  [
    {
      headers: { 'x-key': null, authorization: 'new' },
      closing_path: null,
      preset_options: {},
      signing_secret: null,
      token: 'new',
    },
    ['headers.x-key'],
  ],
  [{ headers: {}, closing_path: null, preset_options: {}, signing_secret: 'whsec_x', token: 'new' }, []],
  [
    {
      headers: { 'X-Other': null },
      closing_path: null,
      preset_options: {},
      signing_secret: null,
      token: 'new',
    },
    [],
  ],
])('after the update %j, the secrets to enter again are %j', (given, fields) => {
  expect(secretsToReenter(stored, given)).toEqual(fields);
  const nothing = {
    headerNames: [],
    hasClosingPath: false,
    hasPresetOptions: false,
    hasSigningSecret: false,
    hasToken: false,
  };
  expect(secretsToReenter(nothing, given)).toEqual([]);
});
