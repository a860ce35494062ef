import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { temporaryFolder } from '../../tests/helpers/temporary-folder.ts';
import { authority, serverKey } from '../../tests/helpers/tls-certificates.ts';
import { type Config, ConfigError, configVariables, readConfig } from './config.ts';

const keyBytes = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index));
const key = keyBytes.toString('base64');

/** Returns the configuration problems of an environment, one line each. */
function problemsOf(env: Record<string, string>, role: 'server' | 'client' = 'server'): readonly string[] {
  try {
    readConfig(env, { role });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

test('an empty environment results in the defaults', () => {
  expect(readConfig({}, { isRoot: false })).toEqual({
    host: '127.0.0.1',
    port: 8080,
    baseUrl: null,
    databaseUrl: null,
    databaseListenUrl: null,
    idleTransactionSeconds: 60,
    dataDir: `${process.cwd()}/data`,
    secretKey: null,
    adminEmail: 'admin@localhost',
    adminPassword: null,
    egressAllow: [],
    insecureHosts: [],
    caCertificates: null,
    proxyUrl: null,
    noProxy: ['localhost', '127.0.0.0/8', '::1/128'],
    proxyHosts: [],
    referenceData: true,
    endOfLifeUrl: 'https://endoflife.date/api/v1/products/full',
    osvUrl: 'https://osv-vulnerabilities.storage.googleapis.com/{ecosystem}/all.zip',
    knownExploitedUrl: 'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json',
    epssUrl: 'https://epss.empiricalsecurity.com/epss_scores-current.csv.gz',
    oidcFile: null,
    passwordLogin: true,
    allowHttpWebhooks: false,
    smtpServer: null,
    smtpStartTls: null,
    smtpOAuthTokenUrl: null,
    smtpOAuthClientId: null,
    smtpOAuthClientSecret: null,
    smtpOAuthKeyFile: null,
    smtpOAuthScope: null,
    smtpOAuthUser: null,
    emailFrom: null,
    smtpEhloName: null,
    emailReplyTo: null,
    emailDomains: [],
    trustedProxies: [],
    corsOrigins: [],
    embeddedAgent: true,
    agentConfigPath: null,
    retryScheduleSeconds: [10, 30, 60, 300, 900, 1_800, 3_600, 7_200, 14_400, 14_400, 14_400],
    rateLimitPerMinute: 6_000,
    keepAliveSeconds: 620,
    metricsPort: null,
    metricsHost: '127.0.0.1',
    logLevel: 'info',
    logFormat: null,
    serverUrl: null,
    apiKey: null,
    warnings: [],
  });
});

test('the data directory of root is in /var/lib, unless another directory is set', () => {
  expect(readConfig({}, { isRoot: true }).dataDir).toBe('/var/lib/pacekeeper');
  expect(readConfig({ PACEKEEPER_DATA_DIR: '/srv/p' }, { isRoot: true }).dataDir).toBe('/srv/p');
});

test.each<[string, string, keyof Config, unknown]>([
  ['HOST', '::', 'host', '::'],
  ['PORT', '0', 'port', 0],
  ['PORT', ' 9000 ', 'port', 9_000],
  ['PACEKEEPER_BASE_URL', 'https://pace.example/sub/', 'baseUrl', 'https://pace.example/sub'],
  [
    'PACEKEEPER_BASE_URL',
    'https://Münster.example:8443/sub',
    'baseUrl',
    'https://xn--mnster-3ya.example:8443/sub',
  ],
  ['PACEKEEPER_SECRET_KEY', key, 'secretKey', keyBytes],
  ['PACEKEEPER_SECRET_KEY', keyBytes.toString('base64url'), 'secretKey', keyBytes],
  [
    'PACEKEEPER_EGRESS_ALLOW',
    '10.0.0.0/8, fd00::/8 192.168.1.5',
    'egressAllow',
    ['10.0.0.0/8', 'fd00::/8', '192.168.1.5/32'],
  ],
  ['PACEKEEPER_TRUSTED_PROXIES', '::1', 'trustedProxies', ['::1/128']],
  [
    'PACEKEEPER_CORS_ORIGINS',
    'https://a.example/, http://b.example:3000',
    'corsOrigins',
    ['https://a.example', 'http://b.example:3000'],
  ],
  [
    'PACEKEEPER_EMAIL_DOMAINS',
    'Acme.example, ops.acme.example',
    'emailDomains',
    ['acme.example', 'ops.acme.example'],
  ],
  [
    'PACEKEEPER_INSECURE_HOSTS',
    'Git.LAN,git.lan:3000,[::1]:80',
    'insecureHosts',
    ['git.lan', 'git.lan:3000', '[::1]:80'],
  ],
  ['PACEKEEPER_ALLOW_HTTP_WEBHOOKS', 'true', 'allowHttpWebhooks', true],
  ['PACEKEEPER_EMBEDDED_AGENT', '0', 'embeddedAgent', false],
  ['PACEKEEPER_RETRY_SCHEDULE_SECONDS', '1,2,3', 'retryScheduleSeconds', [1, 2, 3]],
  ['PACEKEEPER_RATE_LIMIT_PER_MINUTE', '0', 'rateLimitPerMinute', 0],
  ['PACEKEEPER_KEEP_ALIVE_SECONDS', '75', 'keepAliveSeconds', 75],
  ['PACEKEEPER_METRICS_PORT', '9100', 'metricsPort', 9_100],
  ['PACEKEEPER_METRICS_HOST', '0.0.0.0', 'metricsHost', '0.0.0.0'],
  [
    'PACEKEEPER_END_OF_LIFE_URL',
    'http://mirror.lan/eol.json?ref=main',
    'endOfLifeUrl',
    'http://mirror.lan/eol.json?ref=main',
  ],
  ['PACEKEEPER_REFERENCE_DATA', 'off', 'referenceData', false],
  ['PACEKEEPER_OSV_URL', 'https://api.osv.dev/', 'osvUrl', 'https://api.osv.dev'],
  ['PACEKEEPER_EPSS_URL', 'https://mirror.lan/epss.csv', 'epssUrl', 'https://mirror.lan/epss.csv'],
  ['PACEKEEPER_KNOWN_EXPLOITED_URL', 'https://mirror.lan/kev', 'knownExploitedUrl', 'https://mirror.lan/kev'],
  [
    'PACEKEEPER_OSV_URL',
    'http://mirror.lan/osv/{ecosystem}.zip?ref=main',
    'osvUrl',
    'http://mirror.lan/osv/{ecosystem}.zip?ref=main',
  ],
  ['PACEKEEPER_LOG_FORMAT', 'pretty', 'logFormat', 'pretty'],
  ['PACEKEEPER_LOG_FORMAT', '', 'logFormat', null],
  ['PACEKEEPER_API_KEY', 'pk_12_abc', 'apiKey', 'pk_12_abc'],
])('%s=%s is parsed', (name, text, field, value) => {
  expect(readConfig({ [name]: text })[field]).toEqual(value);
});

test.each<[string, string]>([
  ['HOST', 'http://localhost'],
  ['PORT', '65536'],
  ['PORT', '80.5'],
  ['PORT', '-1'],
  ['PACEKEEPER_BASE_URL', 'pace.example'],
  ['PACEKEEPER_BASE_URL', 'ftp://pace.example'],
  ['PACEKEEPER_BASE_URL', 'https://pace.example/?a=1'],
  ['PACEKEEPER_EGRESS_ALLOW', '10.0.0.0/33'],
  ['PACEKEEPER_EGRESS_ALLOW', '10.0.0.0/8,everything'],
  ['PACEKEEPER_REFERENCE_DATA', 'maybe'],
  ['PACEKEEPER_END_OF_LIFE_URL', 'true'],
  ['PACEKEEPER_END_OF_LIFE_URL', 'ftp://mirror.lan/eol.json'],
  ['PACEKEEPER_END_OF_LIFE_URL', 'https://user:secret@mirror.lan/eol.json'],
  ['PACEKEEPER_OSV_URL', 'https://{ecosystem}.mirror.lan/all.zip'],
  ['PACEKEEPER_OSV_URL', 'https://mirror.lan/{ecosystem}/{ecosystem}.zip'],
  ['PACEKEEPER_OSV_URL', 'https://mirror.lan/{name}/all.zip'],
  ['PACEKEEPER_OSV_URL', 'https://user:secret@mirror.lan/{ecosystem}.zip'],
  ['PACEKEEPER_INSECURE_HOSTS', 'http://git.lan'],
  ['PACEKEEPER_ALLOW_HTTP_WEBHOOKS', 'maybe'],
  ['PACEKEEPER_RETRY_SCHEDULE_SECONDS', '1,0'],
  ['PACEKEEPER_RETRY_SCHEDULE_SECONDS', ','],
  ['PACEKEEPER_LOG_LEVEL', 'loud'],
  ['PACEKEEPER_ADMIN_EMAIL', 'root'],
])('%s=%s is rejected with the given value and the expected format', (name, text) => {
  const expected = configVariables.find((variable) => variable.name === name)?.expected ?? 'nothing';
  expect(problemsOf({ [name]: text })).toEqual([
    `${name}: given ${JSON.stringify(text)}, expected ${expected}.`,
  ]);
});

test.each(['short', `${key}${key}`, Buffer.alloc(32, 7).toString('base64')])(
  'the secret key %s is rejected, as it is in a key file',
  (text) => {
    expect(problemsOf({ PACEKEEPER_SECRET_KEY: text })).toEqual([
      expect.stringMatching(
        /^PACEKEEPER_SECRET_KEY: given a value of \d+ characters \(not shown\), expected 32 random/,
      ),
    ]);
  },
);

test('all invalid variables are reported in one error', () => {
  const env = { PORT: 'x', PACEKEEPER_LOG_LEVEL: 'loud', PACEKEEPER_EMBEDDED_AGENT: 'perhaps' };
  expect(() => readConfig(env)).toThrow(
    /^Invalid configuration:\n {2}PORT.*\n {2}PACEKEEPER_EMB.*\n {2}PACEKEEPER_LOG/,
  );
});

test.each(configVariables.filter(({ isSecret }) => isSecret).map(({ name }) => name))(
  'an invalid %s is reported without its value',
  (name) => {
    const problems = problemsOf({ [name]: 'hunter2'.repeat(200) }).join('\n');
    expect(problems).toContain(`${name}: given a value of 1400 characters (not shown)`);
    expect(problems).not.toContain('hunter2');
  },
);

test('a server with DATABASE_URL requires the secret key, and a client does not', () => {
  const env = { DATABASE_URL: 'postgres://u:p@db/pacekeeper' };
  expect(problemsOf(env)).toEqual([expect.stringContaining('PACEKEEPER_SECRET_KEY: not set') as string]);
  expect(problemsOf(env, 'client')).toEqual([]);
  expect(problemsOf({ ...env, PACEKEEPER_SECRET_KEY: key })).toEqual([]);
});

test('PACEKEEPER_DATABASE_LISTEN_URL is rejected without DATABASE_URL', () => {
  expect(problemsOf({ PACEKEEPER_DATABASE_LISTEN_URL: 'postgres://db/p' })).toHaveLength(1);
});

test('an unknown variable without a similar known name is reported, but without a suggestion', () => {
  expect(readConfig({ PACEKEEPER_QUUXITY: '1' }).warnings).toEqual(['Unknown variable PACEKEEPER_QUUXITY.']);
});

test.each([
  ['PACEKEEPER_LOGLEVEL', 'PACEKEEPER_LOG_LEVEL'],
  ['PACEKEEPER_PORT', 'PORT'],
  ['PACEKEEPER_DATABASE_URL', 'DATABASE_URL'],
  ['PACEKEEPER_EGRESS_ALOW', 'PACEKEEPER_EGRESS_ALLOW'],
])('the unknown %s causes a warning that suggests the nearest known name', (unknown, known) => {
  expect(readConfig({ [unknown]: '1' }).warnings).toEqual([
    `Unknown variable ${unknown}. Did you mean ${known}?`,
  ]);
});

test('unrelated variables cause no warning', () => {
  expect(readConfig({ PATH: '/bin', PACEKEEPER_TEST_DATA: '/tmp' }).warnings).toEqual([]);
});

test('every variable is documented', () => {
  for (const { name, sentence, defaultText, expected } of configVariables) {
    expect(name).toMatch(/^(HOST|PORT|DATABASE_URL|PACEKEEPER_[A-Z_]+)$/);
    expect(sentence).toMatch(/^[A-Z].*\.$/);
    expect(defaultText).not.toBe('``');
    expect(expected).not.toMatch(/\.$/);
  }
  expect(new Set(configVariables.map(({ name }) => name)).size).toBe(configVariables.length);
});

test('the types of the configuration match its values', () => {
  expectTypeOf<Config['port']>().toEqualTypeOf<number>();
  expectTypeOf<Config['metricsPort']>().toEqualTypeOf<number | null>();
  expectTypeOf<Config['egressAllow']>().toEqualTypeOf<readonly string[]>();
  expectTypeOf<Config['logFormat']>().toEqualTypeOf<'json' | 'pretty' | null>();
});

const sender = { PACEKEEPER_EMAIL_FROM: 'alerts@acme.example' };

test.each([
  ['smtp://mail.acme.example', { host: 'mail.acme.example', port: 587, isTls: false, login: null }],
  ['smtps://mail.acme.example/', { host: 'mail.acme.example', port: 465, isTls: true, login: null }],
  [
    'smtp://alerts%40acme.example:p%40ss%2F@[::1]:25',
    { host: '::1', port: 25, isTls: false, login: { user: 'alerts@acme.example', password: 'p@ss/' } },
  ],
])('the mail server URL %s is parsed', (url, server) => {
  expect(readConfig({ PACEKEEPER_SMTP_URL: url, ...sender }).smtpServer).toEqual(server);
});

test.each([
  'mail.acme.example',
  'http://mail.acme.example',
  'smtp://',
  'smtp://user@mail.acme.example',
  'smtp://:password@mail.acme.example',
  'smtp://u:p4ssword%ZZ@mail.acme.example',
  'smtp://mail.acme.example/path',
  'smtp://mail.acme.example?tls=off',
])('%s is rejected as a mail server URL, and is not shown', (url) => {
  const [problem, ...others] = problemsOf({ PACEKEEPER_SMTP_URL: url, ...sender });
  expect(others).toEqual([]);
  expect(problem).toMatch(/^PACEKEEPER_SMTP_URL: given a value of \d+ characters \(not shown\)/);
});

test.each([
  ['PACEKEEPER_SMTP_URL', 'smtp://alerts:p#ss@mail.acme.example:587'],
  ['PACEKEEPER_SMTP_URL', 'smtps://alerts:p/ss@mail.acme.example'],
  ['PACEKEEPER_SMTP_URL', 'smtp://alerts:100%@mail.acme.example'],
  ['PACEKEEPER_PROXY_URL', 'http://ana:p?ss@proxy.lan:3128'],
  ['PACEKEEPER_PROXY_URL', 'http://a:%zz@proxy.lan'],
])(
  '%s with a password that isn’t percent-encoded is rejected with advice on the encoding: %s',
  (name, url) => {
    const [problem] = problemsOf({ [name]: url, ...(name === 'PACEKEEPER_SMTP_URL' && sender) });
    expect(problem).toContain('write @ as %40, / as %2F, # as %23');
    expect(problem).not.toContain(url);
  },
);

describe('quotes around a value', () => {
  test('are mentioned in the error if they make the value invalid', () => {
    expect(problemsOf({ PACEKEEPER_BASE_URL: '"https://pace.example"' })).toEqual([
      expect.stringMatching(/the value is enclosed in quotes\. Docker .* --env-file/),
    ]);
    expect(problemsOf({ DATABASE_URL: "'postgres://db/name'" })[0]).toContain('enclosed in quotes');
  });

  test('cause a warning if they can be part of the value', () => {
    const { adminPassword, warnings } = readConfig({ PACEKEEPER_ADMIN_PASSWORD: '"a long password"' });
    expect(adminPassword).toBe('"a long password"');
    expect(warnings).toEqual([expect.stringMatching(/^PACEKEEPER_ADMIN_PASSWORD: .*enclosed in quotes/)]);
    expect(readConfig({ PACEKEEPER_ADMIN_PASSWORD: '"a" and "b"?' }).warnings).toEqual([]);
  });
});

describe('a secret in a file', () => {
  function secretFile(text: string): string {
    const file = path.join(temporaryFolder(), 'secret');
    writeFileSync(file, text);
    return file;
  }

  test('is read without the line break at its end', () => {
    const config = readConfig({
      DATABASE_URL_FILE: secretFile('postgres://db/name\n'),
      PACEKEEPER_SECRET_KEY_FILE: secretFile(`${key}\r\n`),
    });
    expect(config).toMatchObject({ databaseUrl: 'postgres://db/name', secretKey: keyBytes, warnings: [] });
  });

  test('is read only for variables that contain secrets', () => {
    const { baseUrl, warnings } = readConfig({
      PACEKEEPER_BASE_URL_FILE: secretFile('https://pace.example'),
    });
    expect(baseUrl).toBeNull();
    expect(warnings).toEqual([expect.stringContaining('Unknown variable PACEKEEPER_BASE_URL_FILE')]);
  });

  test('must be readable, have content, and not be combined with the variable', () => {
    expect(problemsOf({ PACEKEEPER_API_KEY_FILE: '/none' })).toEqual([
      'PACEKEEPER_API_KEY_FILE: can\'t read "/none" (ENOENT).',
    ]);
    const empty = secretFile('\n');
    expect(problemsOf({ PACEKEEPER_API_KEY_FILE: empty })).toEqual([
      `PACEKEEPER_API_KEY_FILE: the file ${JSON.stringify(empty)} is empty.`,
    ]);
    const both = { DATABASE_URL: 'postgres://a/b', DATABASE_URL_FILE: secretFile('postgres://c/d') };
    expect(problemsOf({ ...both, PACEKEEPER_SECRET_KEY: key })).toEqual([
      "DATABASE_URL_FILE: can't be combined with DATABASE_URL.",
    ]);
    const [problem] = problemsOf({
      DATABASE_URL_FILE: secretFile('mysql://u:s3cret@db'),
      PACEKEEPER_SECRET_KEY: key,
    });
    expect(problem).not.toContain('s3cret');
  });
});

test('the sender of emails is an address, with or without a name', () => {
  const from = (text: string) =>
    readConfig({ PACEKEEPER_SMTP_URL: 'smtp://mail', PACEKEEPER_EMAIL_FROM: text }).emailFrom;
  expect(from('alerts@acme.example')).toEqual({ name: 'Pacekeeper', address: 'alerts@acme.example' });
  expect(from('"Acme alerts" <alerts@acme.example>')).toEqual({
    name: 'Acme alerts',
    address: 'alerts@acme.example',
  });
  for (const text of ['alerts', 'x <a@b>, <c@d>', 'x\r\nBcc: <e@f>', '<a@b\r\n>', 'a b@c'])
    expect(() => from(text), text).toThrow(ConfigError);
});

test('a mail server and a sender must be set together', () => {
  expect(problemsOf({ PACEKEEPER_SMTP_URL: 'smtp://mail' })).toEqual([
    expect.stringMatching(/^PACEKEEPER_EMAIL_FROM: not set, required with PACEKEEPER_SMTP_URL/),
  ]);
  expect(problemsOf(sender)).toEqual([
    expect.stringMatching(/^PACEKEEPER_SMTP_URL: not set, required with PACEKEEPER_EMAIL_FROM/),
  ]);
  expect(problemsOf(sender, 'client')).toEqual([]);
});

describe('access tokens for the mail server', () => {
  const server = { PACEKEEPER_SMTP_URL: 'smtp://mail.acme.example', ...sender };
  const client = {
    PACEKEEPER_SMTP_OAUTH_TOKEN_URL: 'https://login.acme.example/token',
    PACEKEEPER_SMTP_OAUTH_CLIENT_ID: 'pacekeeper',
    PACEKEEPER_SMTP_OAUTH_CLIENT_SECRET: 's3cret',
  };
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

  function keyFile(changes: Record<string, unknown> = {}): string {
    const file = path.join(temporaryFolder(), 'account.json');
    const account = {
      type: 'service_account',
      client_email: 'mail@acme.example',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      token_uri: 'https://oauth2.acme.example/token',
      ...changes,
    };
    writeFileSync(file, JSON.stringify(account));
    return file;
  }

  test('require a token URL, a client ID, and a client secret, and a server without a password', () => {
    expect(readConfig({ ...server, ...client })).toMatchObject({ smtpOAuthClientId: 'pacekeeper' });
    const { PACEKEEPER_SMTP_OAUTH_CLIENT_SECRET: _, ...incomplete } = client;
    expect(problemsOf({ ...server, ...incomplete })).toEqual([
      expect.stringMatching(
        /^PACEKEEPER_SMTP_OAUTH_CLIENT_SECRET: not set, required with PACEKEEPER_SMTP_OAUTH_TO/,
      ),
    ]);
    expect(problemsOf({ ...server, PACEKEEPER_SMTP_OAUTH_USER: 'alerts' })).toHaveLength(3);
    expect(problemsOf({ ...server, ...client, PACEKEEPER_SMTP_URL: 'smtp://a:b@mail.acme.example' })).toEqual(
      ['PACEKEEPER_SMTP_URL: must not contain a user and a password with PACEKEEPER_SMTP_OAUTH_TOKEN_URL.'],
    );
    expect(problemsOf(client)).toEqual(['PACEKEEPER_SMTP_OAUTH_TOKEN_URL: requires PACEKEEPER_SMTP_URL.']);
    expect(problemsOf(client, 'client')).toEqual([]);
    const plain = { ...client, PACEKEEPER_SMTP_OAUTH_TOKEN_URL: 'http://login.acme.example/token' };
    expect(problemsOf({ ...server, ...plain })).toHaveLength(1);
  });

  test('can come from a service account instead', () => {
    const config = readConfig({ ...server, PACEKEEPER_SMTP_OAUTH_KEY_FILE: keyFile() });
    expect(config.smtpOAuthKeyFile).toMatchObject({
      clientEmail: 'mail@acme.example',
      tokenUrl: 'https://oauth2.acme.example/token',
    });
    expect(problemsOf({ ...server, ...client, PACEKEEPER_SMTP_OAUTH_KEY_FILE: keyFile() })).toEqual(
      Object.keys(client).map((name) => `${name}: can't be combined with PACEKEEPER_SMTP_OAUTH_KEY_FILE.`),
    );
    for (const wrong of [
      '/none.json',
      keyFile({ private_key: 'no key' }),
      keyFile({ private_key: serverKey }),
      keyFile({ token_uri: 'http://oauth2.acme.example/token' }),
    ])
      expect(problemsOf({ ...server, PACEKEEPER_SMTP_OAUTH_KEY_FILE: wrong })).toEqual([
        `PACEKEEPER_SMTP_OAUTH_KEY_FILE: given ${JSON.stringify(wrong)}, expected a readable JSON file with client_email, token_uri, and an RSA private_key.`,
      ]);
  });
});

test('a proxy URL is kept unchanged and never shown, and hosts are converted to lowercase', () => {
  const config = readConfig({
    PACEKEEPER_PROXY_URL: 'http://ana:p%40ss@proxy.lan:3128/',
    PACEKEEPER_NO_PROXY: '.Corp.example, git.lan 10.0.0.0/8 192.168.1.5',
    PACEKEEPER_PROXY_HOSTS: 'github.com',
  });
  expect(config.proxyUrl).toBe('http://ana:p%40ss@proxy.lan:3128/');
  expect(config.noProxy).toEqual(['.corp.example', 'git.lan', '10.0.0.0/8', '192.168.1.5/32']);
  for (const wrong of ['proxy.lan:3128', 'socks5://proxy.lan', 'http://proxy.lan/path'])
    expect(problemsOf({ PACEKEEPER_PROXY_URL: wrong })).toEqual([
      `PACEKEEPER_PROXY_URL: given a value of ${wrong.length} characters (not shown), expected an http:// or https:// URL without a path.`,
    ]);
  expect(problemsOf({ PACEKEEPER_PROXY_HOSTS: '*' })).toHaveLength(1);
  expect(problemsOf({ PACEKEEPER_NO_PROXY: '*' })).toHaveLength(1);
});

test('the proxy variable of other programs is ignored with a warning', () => {
  const warning = "HTTPS_PROXY isn't used. To use a proxy, set PACEKEEPER_PROXY_URL.";
  expect(readConfig({ HTTPS_PROXY: 'http://proxy.lan:3128' }).warnings).toEqual([warning]);
  const both = { HTTPS_PROXY: 'http://proxy.lan:3128', PACEKEEPER_PROXY_URL: 'http://proxy.lan:3128' };
  expect(readConfig(both).warnings).toEqual([]);
});

test('a certificate authority file must contain valid certificates', () => {
  const file = (name: string, text: string) => {
    const at = path.join(folder, name);
    writeFileSync(at, text);
    return at;
  };
  const folder = temporaryFolder();
  const good = file('good.pem', `Our authority\n${authority}`);
  expect(readConfig({ PACEKEEPER_CA_FILE: good }).caCertificates).toBe(authority);
  for (const wrong of [
    path.join(folder, 'none.pem'),
    file('empty.pem', ''),
    file('broken.pem', authority.replace('MIIB', 'MIIA')),
  ])
    expect(problemsOf({ PACEKEEPER_CA_FILE: wrong })).toEqual([
      `PACEKEEPER_CA_FILE: given ${JSON.stringify(wrong)}, expected a readable PEM file with at least one valid certificate.`,
    ]);
});
