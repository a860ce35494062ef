import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../platform/config.ts';
import {
  agentCapabilities,
  readAgentConfig,
  readAgentCredentials,
  readEmbeddedAgentConfig,
} from './agent-config.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-config-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(text: string): string {
  const file = path.join(folder, `agent-${Math.random()}.yaml`);
  writeFileSync(file, text);
  return file;
}

const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nxyz\n-----END OPENSSH PRIVATE KEY-----';

test('credentials can be checked without a server or an API key', () => {
  const file = write('credentials: [{ name: gh, type: github_token, token: env:PAT }]');
  expect(readAgentCredentials(file, { PAT: 'secret' })).toMatchObject([{ name: 'gh', type: 'github_token' }]);
  expect(() => readAgentCredentials(write('credentials: [{ name: gh, type: github }]'), {})).toThrow(
    ConfigError,
  );
});

test('missing cluster files are reported with the other problems of a configuration, but do not make a configuration invalid', () => {
  const cluster = 'type: kubernetes, api_server: "https://10.0.0.1:6443", ca_file: ca.crt, token_file: token';
  const problemsOf = (credentials: string) => {
    try {
      return readAgentCredentials(write(`credentials: [${credentials}]`), {}).map(({ name }) => name);
    } catch (error) {
      return (error as ConfigError).problems.map((problem) => problem.replace(/^.*?\.yaml: /, ''));
    }
  };
  expect(problemsOf(`{ name: eu, ${cluster} }`)).toEqual(['eu']);
  expect(problemsOf(`{ name: gh, type: github_token, token: file:none }, { name: eu, ${cluster} }`)).toEqual([
    "credentials[0].token: can't read file none (ENOENT)",
    "credentials[1].ca_file: can't read file ca.crt (ENOENT)",
    "credentials[1].token_file: can't read file token (ENOENT)",
  ]);
});

describe('the configuration of a remote agent', () => {
  test('can take all four kinds of credentials from the file, the environment, and other files', () => {
    writeFileSync(path.join(folder, 'key'), key);
    const config = readAgentConfig(
      write(`
server: https://pacekeeper.example.com/
api_key: env:KEY
name: runner-7
capabilities: [scrape, gather:github_releases]
credentials:
  - { name: pat, type: https_pat, hosts: [git.example.com, "git.example.com:8443"], token: env:PAT, username: robot }
  - { name: gh, type: github_token, token: env:PAT }
  - { name: ssh, type: ssh_key, hosts: [git.example.com], private_key: "file:key", known_hosts: git.example.com ssh-ed25519 AAAA }
  - { name: hub, type: registry_basic, hosts: [docker.io], username: robot, password: env:PAT }
`),
      { KEY: 'pk_1_abc', PAT: 'secret\n' },
    );
    expect(config).toEqual({
      serverUrl: 'https://pacekeeper.example.com',
      apiKey: 'pk_1_abc',
      name: 'runner-7',
      capabilities: ['scrape', 'gather:github_releases'],
      credentials: [
        {
          type: 'https_pat',
          name: 'pat',
          hosts: ['git.example.com', 'git.example.com:8443'],
          token: 'secret',
          username: 'robot',
          organizations: null,
        },
        {
          type: 'github_token',
          name: 'gh',
          hosts: ['github.com', 'api.github.com'],
          token: 'secret',
          organizations: null,
        },
        {
          type: 'ssh_key',
          name: 'ssh',
          hosts: ['git.example.com'],
          privateKey: `${key}\n`,
          knownHosts: 'git.example.com ssh-ed25519 AAAA\n',
          organizations: null,
        },
        {
          type: 'registry_basic',
          name: 'hub',
          hosts: ['docker.io', 'registry-1.docker.io', 'auth.docker.io'],
          username: 'robot',
          password: 'secret',
          organizations: null,
        },
      ],
      files: [expect.stringMatching(/agent-.+\.yaml$/u), path.join(folder, 'key')],
    });
  });

  test('can come from the environment alone, and the file takes precedence over the environment', () => {
    const env = { PACEKEEPER_SERVER_URL: 'http://localhost:8080', PACEKEEPER_API_KEY: 'pk_1_abc' };
    expect(readAgentConfig(null, env)).toMatchObject({
      serverUrl: 'http://localhost:8080',
      apiKey: 'pk_1_abc',
      capabilities: agentCapabilities,
      credentials: [],
    });
    expect(readAgentConfig(write('server: https://other.example.com\n'), env).serverUrl).toBe(
      'https://other.example.com',
    );
  });

  test('can contain access keys for buckets, and the files with the keys are watched for changes', () => {
    writeFileSync(path.join(folder, 'secret'), 'wJalr/x+y\n');
    const file = write(`server: https://a.example.com
api_key: pk_1_abc
credentials:
  - name: charts
    type: s3
    hosts: [acme-charts.s3.amazonaws.com]
    access_key_id: env:KEY_ID
    secret_access_key: file:secret
  - { name: session, type: s3, hosts: [minio.example.org], access_key_id: a, secret_access_key: b, session_token: c, region: eu-central-1 }
`);
    const config = readAgentConfig(file, { KEY_ID: 'AKIAIOSFODNN7EXAMPLE' });
    expect(config.credentials).toEqual([
      {
        type: 's3',
        name: 'charts',
        organizations: null,
        hosts: ['acme-charts.s3.amazonaws.com'],
        accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
        secretAccessKey: 'wJalr/x+y',
        sessionToken: null,
        region: null,
      },
      expect.objectContaining({ sessionToken: 'c', region: 'eu-central-1' }),
    ]);
    expect(config.files).toContain(path.join(folder, 'secret'));
  });

  test('can be JSON', () => {
    const file = write(JSON.stringify({ server: 'https://a.example.com', api_key: 'pk_1_abc' }));
    expect(readAgentConfig(file, {}).serverUrl).toBe('https://a.example.com');
  });
});

function problemsOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join('\n');
    throw error;
  }
  return 'no problem';
}

describe('an invalid configuration', () => {
  test('is rejected with all its problems, without showing a secret', () => {
    const problems = problemsOf(() =>
      readAgentConfig(
        write(`
server: ftp://x
api_key: topsecret
nmae: typo
capabilities: [dance]
credentials:
  - { name: a, type: https_pat, token: topsecret }
  - { name: a, type: https_pat, hosts: [], token: env:MISSING }
  - { name: b, type: ssh_key, hosts: ["not a host"], private_key: topsecret, known_hosts: "file:none" }
  - { name: c, type: magic }
  - { name: d, type: registry_basic, hosts: [x.example.com], username: robot, password: x, organizations: [2] }
`),
        {},
      ),
    );
    for (const part of [
      'server: ',
      'api_key: must be an API key',
      'nmae: unknown field',
      'capabilities[0]: must be one of',
      'credentials[0].hosts: is required: the hosts',
      'credentials[1].name: duplicate name',
      'credentials[1].hosts: must list at least one host',
      "credentials[1].token: environment variable MISSING isn't set",
      'credentials[2].hosts[0]: must be a host',
      'credentials[2].private_key: must be a PEM or OpenSSH private key',
      "credentials[2].known_hosts: can't read file none",
      'credentials[3].type: must be https_pat',
      "credentials[4].organizations: isn't allowed here",
    ]) {
      expect(problems).toContain(part);
    }
    expect(problems).not.toContain('topsecret');
  });

  test.each([
    ['a missing file', () => readAgentConfig('/nowhere/agent.yaml', {}), "can't read"],
    ['invalid YAML', () => readAgentConfig(write('a: ['), {}), "can't read"],
    ['a list', () => readAgentConfig(write('- a\n'), {}), 'the file'],
    ['no configuration', () => readAgentConfig(null, {}), 'server: is required'],
  ])('is rejected: %s', (_, read, part) => {
    expect(problemsOf(read)).toContain(part);
  });
});

describe('the embedded agent', () => {
  test('requires no configuration file and has every capability', () => {
    expect(readEmbeddedAgentConfig(null, {})).toEqual({
      name: 'embedded',
      capabilities: agentCapabilities,
      credentials: [],
      files: [],
    });
  });

  test('requires the organizations of each credential', () => {
    const file = write('credentials:\n- { name: a, type: github_token, token: x, organizations: [2, 3] }\n');
    expect(readEmbeddedAgentConfig(file, {}).credentials).toMatchObject([
      { name: 'a', organizations: [2, 3] },
    ]);
    const without = write('credentials:\n- { name: a, type: github_token, token: x }\n');
    expect(problemsOf(() => readEmbeddedAgentConfig(without, {}))).toContain(
      'credentials[0].organizations: is required',
    );
  });

  test('rejects the server field', () => {
    expect(problemsOf(() => readEmbeddedAgentConfig(write('server: https://x.example.com\n'), {}))).toContain(
      'server: unknown field',
    );
  });
});

describe('access to Kubernetes clusters', () => {
  const read = (credential: string, env: Record<string, string> = {}) =>
    readAgentConfig(write(`credentials:\n  - { name: eu, type: kubernetes, ${credential} }\n`), {
      PACEKEEPER_SERVER_URL: 'https://pacekeeper.example.com',
      PACEKEEPER_API_KEY: 'pk_1_abc',
      ...env,
    }).credentials;

  test('uses the credentials of the pod, or files with paths relative to the configuration file', () => {
    expect(
      read('in_cluster: true', { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' }),
    ).toEqual([
      {
        type: 'kubernetes',
        name: 'eu',
        organizations: null,
        isInCluster: true,
        apiServer: 'https://[fd00::1]:6443',
        caFile: '/var/run/secrets/kubernetes.io/serviceaccount/ca.crt',
        tokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
        exec: null,
      },
    ]);
    expect(read('api_server: "https://10.0.0.1:6443/", token_file: token, ca_file: /etc/ca.crt')).toEqual([
      {
        type: 'kubernetes',
        name: 'eu',
        organizations: null,
        isInCluster: false,
        apiServer: 'https://10.0.0.1:6443',
        caFile: '/etc/ca.crt',
        tokenFile: path.join(folder, 'token'),
        exec: null,
      },
    ]);
  });

  test.each([
    ['in_cluster: true', /doesn't run in a Kubernetes pod/],
    ['in_cluster: true, token_file: a', /can't be combined/],
    ['token_file: a', /requires in_cluster: true, or api_server and either token_file or exec/],
    ['api_server: "https://10.0.0.1"', /either token_file or exec/],
    ['api_server: "http://10.0.0.1", token_file: a', /must be the URL of the API server/],
    ['api_server: "https://user:secret@10.0.0.1", token_file: a', /must not contain a user name/],
    ['token: secret', /unknown field/],
  ])('with %s is rejected', (credential, problem) => {
    expect(() => read(credential)).toThrow(problem);
    expect(() => read(credential)).not.toThrow(/secret/);
  });
});

describe('access to container hosts', () => {
  const remote = { PACEKEEPER_SERVER_URL: 'https://pacekeeper.example.com', PACEKEEPER_API_KEY: 'pk_1_abc' };
  const host = '{ name: web-1, socket: /var/run/docker.sock }';
  const read = (text: string) => readAgentConfig(write(text), remote);

  test('is configured as a list of sockets, for an agent without other capabilities', () => {
    const file = `hosts: [${host}, { name: web-2, socket: /run/web-2.sock }]`;
    const credentials = [
      { type: 'docker', name: 'web-1', organizations: null, socket: '/var/run/docker.sock' },
      { type: 'docker', name: 'web-2', organizations: null, socket: '/run/web-2.sock' },
    ];
    expect(read(file)).toMatchObject({ capabilities: ['discovery:docker'], credentials });
    expect(readAgentCredentials(write(file), {})).toEqual(credentials);
    expect(agentCapabilities).not.toContain('discovery:docker');
  });

  test.each([
    [
      'capabilities',
      `hosts: [${host}]\ncapabilities: [scrape]`,
      /capabilities: can't be combined with hosts/,
    ],
    [
      'credentials',
      `hosts: [${host}]\ncredentials: [{ name: gh, type: github_token, token: x }]`,
      /credentials: can't be combined with hosts/,
    ],
    [
      'credential helpers',
      `hosts: [${host}]\ncredential_helpers: [gcloud]`,
      /credential_helpers: can't be combined with hosts/,
    ],
    ['a repeated name', `hosts: [${host}, ${host}]`, /hosts\[1\]\.name: duplicate name/],
    ['no host', 'hosts: []', /hosts: must list at least one container host/],
    ['a capability instead', 'capabilities: ["discovery:docker"]', /container hosts lists hosts instead/],
    [
      'a credential instead',
      'credentials: [{ name: a, type: docker, socket: /run/docker.sock }]',
      /credentials\[0\]\.type: must be .*; container hosts are listed in hosts/,
    ],
    ...['tcp://10.0.0.1:2375', 'docker.sock', 'unix:///run/docker.sock'].map(
      (socket): [string, string, RegExp] => [
        socket,
        `hosts: [{ name: a, socket: "${socket}" }]`,
        /hosts\[0\]\.socket: must be the absolute path of a Unix socket/,
      ],
    ),
    ['no socket', 'hosts: [{ name: a }]', /hosts\[0\]\.socket: is required/],
  ])('with %s is rejected', (_, file, problem) => {
    expect(() => read(`${file}\n`)).toThrow(problem);
  });

  test("isn't available to the embedded agent", () => {
    const problems = problemsOf(() => readEmbeddedAgentConfig(write(`hosts: [${host}]\n`), {}));
    expect(problems).toContain('hosts: requires a separate agent');
    expect(readEmbeddedAgentConfig(null, {}).capabilities).not.toContain('discovery:docker');
  });
});

describe('credentials that programs issue', () => {
  const remote = { PACEKEEPER_SERVER_URL: 'https://pacekeeper.example.com', PACEKEEPER_API_KEY: 'pk_1_abc' };
  const env = { ...remote, PATH: '/bin', AWS_REGION: 'eu-west-1', DATABASE_URL: 'postgres://secret' };
  const read = (text: string) => readAgentConfig(write(text), env).credentials;
  const helpers = 'credential_helpers: [acr-env, { name: ecr-login, env: { AWS_PROFILE: prod } }]\n';

  test("use a listed helper, which receives the variables of cloud tools but none of the agent's secrets", () => {
    const entry = 'name: ecr, type: registry_basic, hosts: [docker.io], credential_helper: ecr-login';
    expect(read(`${helpers}credentials: [{ ${entry} }]\n`)).toEqual([
      {
        type: 'credential_helper',
        as: 'registry_basic',
        name: 'ecr',
        organizations: null,
        hosts: ['docker.io', 'registry-1.docker.io', 'auth.docker.io'],
        program: {
          command: 'docker-credential-ecr-login',
          args: ['get'],
          env: { PATH: '/bin', AWS_REGION: 'eu-west-1', AWS_PROFILE: 'prod' },
        },
      },
    ]);
  });

  test('use a helper for Git over HTTPS instead of a token', () => {
    const entry = 'name: git, type: https_pat, hosts: [git.example.com], credential_helper: acr-env';
    expect(read(`${helpers}credentials: [{ ${entry} }]\n`)).toMatchObject([
      {
        type: 'credential_helper',
        as: 'https_pat',
        hosts: ['git.example.com'],
        program: { command: 'docker-credential-acr-env', args: ['get'] },
      },
    ]);
  });

  test('can use the unchanged exec block of a kubeconfig user', () => {
    const text = `credentials:
  - name: eks
    type: kubernetes
    api_server: https://10.0.0.1
    exec:
      apiVersion: client.authentication.k8s.io/v1beta1
      command: aws
      args: [eks, get-token, --cluster-name, prod]
      env: [{ name: AWS_PROFILE, value: prod }]
      interactiveMode: IfAvailable
      provideClusterInfo: true
  - name: other
    type: kubernetes
    api_server: https://10.0.0.1
    exec: { apiVersion: client.authentication.k8s.io/v1, command: ./bin/token, args: null, env: null }
`;
    expect(read(text)).toMatchObject([
      {
        tokenFile: null,
        exec: {
          apiVersion: 'client.authentication.k8s.io/v1beta1',
          command: 'aws',
          args: ['eks', 'get-token', '--cluster-name', 'prod'],
          env: { PATH: '/bin', AWS_REGION: 'eu-west-1', AWS_PROFILE: 'prod' },
          providesClusterInfo: true,
        },
      },
      { exec: { command: path.join(folder, 'bin/token'), args: [] } },
    ]);
  });

  const basic = 'name: a, type: registry_basic, hosts: [x.example.com]';
  const pat = 'name: a, type: https_pat, hosts: [x.example.com]';
  const s3 = 'name: a, type: s3, hosts: [acme.s3.amazonaws.com]';
  const cluster = 'name: a, type: kubernetes, api_server: "https://10.0.0.1"';
  const plugin = 'exec: { apiVersion: client.authentication.k8s.io/v1, command: aws }';

  test.each([
    [
      `${basic}, credential_helper: gcloud`,
      "credential_helper: isn't listed in credential_helpers; add gcloud",
    ],
    [`${basic}, credential_helper: "../sh"`, 'must be the NAME of docker-credential-NAME'],
    [
      `${basic}, credential_helper: acr-env, password: topsecret`,
      "can't be combined with username or password",
    ],
    [`${basic}, username: robot`, 'credentials[0].password: is required without credential_helper'],
    [`${basic}, password: topsecret`, 'credentials[0].username: is required without credential_helper'],
    [pat, 'credentials[0].token: is required without credential_helper'],
    [`${pat}, credential_helper: acr-env, token: topsecret`, "can't be combined with username or token"],
    [`${pat}, credential_helper: acr-env, username: robot`, "can't be combined with username or token"],
    [`${pat}, credential_helper: gcloud`, "isn't listed in credential_helpers; add gcloud"],
    [`${s3}, access_key_id: a`, 'credentials[0].secret_access_key: '],
    [`${s3}, access_key_id: "a b", secret_access_key: topsecret`, 'access_key_id: must contain no spaces'],
    [
      `${s3}, access_key_id: a, secret_access_key: topsecret, region: "https://x"`,
      'must be a region such as',
    ],
    [`${cluster}, token_file: a, ${plugin}`, 'either token_file or exec'],
    [`name: a, type: kubernetes, in_cluster: true, ${plugin}`, "can't be combined"],
    [`${cluster}, exec: { apiVersion: v1, command: aws }`, 'must be client.authentication.k8s.io/v1 or'],
  ])('with %s are rejected', (entry, problem) => {
    const problems = problemsOf(() => read(`${helpers}credentials: [{ ${entry} }]\n`));
    expect(problems).toContain(problem);
    expect(problems).not.toContain('topsecret');
  });

  test('come with a complete list of the files that contain their configuration', () => {
    writeFileSync(path.join(folder, 'password'), 'x');
    const file = write(`credentials: [{ ${basic}, username: robot, password: "file:password" }]\n`);
    expect(readAgentConfig(file, remote).files).toEqual([file, path.join(folder, 'password')]);
  });
});
