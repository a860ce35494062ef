import { expect, test } from 'vitest';
import { secretValues } from './secret-values.ts';

test('the key in a closing path is as secret as the one in the URL, whichever of them a request is sent to', () => {
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
