import { expect, test } from 'vitest';
import { maxParsedHeader } from './link-header.ts';
import { readChallenge } from './oci-requests.ts';

const challenge = {
  realm: 'https://auth.example/token',
  service: 'registry.example',
  scope: 'repository:a:pull',
};

test.each([
  ['Bearer realm="https://auth.example/token",service="registry.example",scope="repository:a:pull"'],
  ['bearer  realm = "https://auth.example/token" , service=registry.example, scope="repository:a:pull"'],
  [
    'Basic realm="Registry", Bearer realm="https://auth.example/token",service="registry.example",scope="repository:a:pull"',
  ],
  [
    'Bearer realm="https://auth.example/token",service="registry.example",scope="repository:a:pull", Basic realm="Registry"',
  ],
  ['Bearer realm="https://auth.example/token" service="registry.example" scope="repository:a:pull"'],
])('the parameters of %s are read', (header) => {
  expect(readChallenge(header)).toEqual(challenge);
});

test.each([
  [undefined],
  [''],
  ['Basic realm="https://auth.example/token"'],
  ['Basic realm="Bearer realm=https://auth.example/token"'],
  ['Bearer'],
  ['Bearer error="invalid_token"'],
])('%s contains no challenge for a token', (header) => {
  expect(readChallenge(header)).toBeNull();
});

test.each(['a', 'a="', 'realm', 'realm ', ',', ' ', ', bearer x', '_='])(
  'a malicious challenge of the maximum length that repeats %j is parsed, and a longer one counts as missing',
  (atom) => {
    const head = 'Bearer realm="https://auth.example/token",';
    const header = head + atom.repeat(Math.floor((maxParsedHeader - head.length) / atom.length));
    expect(readChallenge(header)).toMatchObject({ realm: 'https://auth.example/token' });
    expect(readChallenge(header + atom.repeat(20) + ' '.repeat(10))).toBeNull();
  },
);
