import { expect, test } from 'vitest';
import { secretValues } from './secret-values.ts';

test('the keys in the closing path and in the URL are both secret, regardless of where a request is sent', () => {
  const values = secretValues({
    url: 'https://hooks.example.org/incidents/key-of-url',
    closingPath: '/close/key-of-path/{{ alert.id }}?token=query-of-path',
    headers: {},
    presetOptions: {},
    signingSecret: null,
    previousSigningSecret: null,
    token: null,
  });
  expect(values).toEqual(expect.arrayContaining(['key-of-url', 'key-of-path', 'query-of-path']));
});
