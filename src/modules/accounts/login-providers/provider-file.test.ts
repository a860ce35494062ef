import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../tests/helpers/temporary-folder.ts';
import { ConfigError } from '../../../platform/config.ts';
import { readProviderFile } from './provider-file.ts';

const folder = temporaryFolder();
const name = path.join(folder, 'oidc.yaml');

function read(text: string, env = {}) {
  writeFileSync(name, text);
  return readProviderFile(name, env);
}

function problemsOf(text: string, env = {}): string[] {
  try {
    read(text, env);
  } catch (error) {
    if (error instanceof ConfigError)
      return error.problems.map((problem) => problem.replace(`${name}: `, ''));
    throw error;
  }
  return [];
}

const provider = 'id: corp, issuer: "https://login.example.com", client_id: pacekeeper';

test('a client secret can be in the provider file, in an environment variable, or in a separate file', () => {
  writeFileSync(path.join(folder, 'secret'), 'from a file\n');
  const secretOf = (secret: string) =>
    read(`providers: [{ ${provider}, client_secret: "${secret}" }]`, { SECRET: 'from a variable' })[0]!
      .clientSecret;
  expect(secretOf('plain')).toBe('plain');
  expect(secretOf('env:SECRET')).toBe('from a variable');
  expect(secretOf('file:secret')).toBe('from a file');
  expect(read(`providers: [{ ${provider} }]`)[0]!.clientSecret).toBeNull();
  expect(problemsOf(`providers: [{ ${provider}, client_secret: "env:NONE" }]`)).toEqual([
    "providers[0].client_secret: env can't be read",
  ]);
});

test.each([
  ['providers: []', 'providers: must list at least one login provider'],
  ['{}', 'providers: is required: the login providers'],
  [
    `providers: [{ ${provider}, groups: [{ group: a, organization: 2, role: owner }] }]`,
    "role: must be viewer, member, admin; groups can't assign the owner role",
  ],
  [`providers: [{ ${provider}, groups: [{ group: a, organization: 1, role: admin }] }]`, 'organization'],
  [`providers: [{ ${provider} }, { ${provider} }]`, 'providers[1].id: is used twice'],
  [
    `providers: [{ ${provider} }, { id: b, issuer: "https://login.example.com", client_id: x }]`,
    'providers[1].issuer: is used twice',
  ],
  [
    `providers: [{ ${provider}, parameters: { redirect_uri: "https://evil.example" } }]`,
    'parameters.redirect_uri: is set by Pacekeeper',
  ],
  [`providers: [{ ${provider}, scopes: [email] }]`, 'scopes: must include openid'],
  [`providers: [{ ${provider}, group: [] }]`, 'providers[0].group: unknown field'],
  ['providers: [{ id: "../x", issuer: "https://a.example", client_id: a }]', 'providers[0].id'],
  ['providers: [{ id: a, issuer: "javascript:alert(1)", client_id: a }]', 'providers[0].issuer: is required'],
  ['providers: [', "can't read"],
])('%s is rejected with the location of the problem', (text, problem) => {
  expect(problemsOf(text).join('\n')).toContain(problem);
});
