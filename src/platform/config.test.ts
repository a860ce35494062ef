import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, expectTypeOf, test } from 'vitest';
import { temporaryFolder } from '../../tests/helpers/temporary-folder.ts';
import { authority } from '../../tests/helpers/tls-certificates.ts';
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
    oidcFile: null,
    passwordLogin: true,
    allowHttpWebhooks: false,
    smtpServer: null,
    smtpStartTls: null,
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

test('a proxy URL is kept unchanged and never shown, and hosts are converted to lowercase', () => {
  const config = readConfig({
    PACEKEEPER_PROXY_URL: 'http://ana:p%40ss@proxy.lan:3128/',
    PACEKEEPER_NO_PROXY: '.Corp.example, git.lan 10.0.0.0/8 192.168.1.5',
    PACEKEEPER_PROXY_HOSTS: 'github.com',
  });
  expect(config.proxyUrl).toBe('http://ana:p%40ss@proxy.lan:3128/');
  expect(config.noProxy).toEqual(['.corp.example', 'git.lan', '10.0.0.0/8', '192.168.1.5/32']);
  for (const wrong of [
    'proxy.lan:3128',
    'socks5://proxy.lan',
    'http://proxy.lan/path',
    'http://a:%zz@proxy.lan',
  ])
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
