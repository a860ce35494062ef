import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const signOn = 'tests/operation/sign-on.slow.test.ts';
const postgres = 'tests/operation/postgres.test.ts';
const promoted = 'tests/operation/promoted-database.slow.test.ts';
const containers = 'tests/operation/containers.slow.test.ts';
const basePath = 'tests/operation/base-path.slow.test.ts';
const cookies = 'tests/security/session-cookies.test.ts';
const planted = 'tests/security/planted-attempts.test.ts';
const messages = 'tests/operation/messages.test.ts';
const mail = 'src/modules/notifications/deliveries/email-deliveries.test.ts';
const problem = 'src/modules/notifications/deliveries/channel-problems.test.ts';
const cors = 'src/server/cors.test.ts';
const proxies = 'tests/operation/proxies.test.ts';
const config = 'src/platform/config.test.ts';
const mailer = 'src/platform/email/mailer.test.ts';
const accessTokens = 'src/platform/email/access-tokens.test.ts';
const claims = 'src/domain/sign-on/provider-claims.test.ts';
const provider = 'src/modules/accounts/login-providers/provider-connection.test.ts';
const hooks = 'tests/pipeline/hooks.slow.test.ts';

/** Situations in real installations, each with its test: the situation, the test file, and a part of the test title. */
const situations: readonly [string, string, string][] = [
  ['Over HTTPS, cookies have the prefix and the path /', cookies, 'gets cookies that only this host can set'],
  [
    'Cookies without the prefix are refused over HTTPS',
    cookies,
    'cookies without the prefix give no session',
  ],
  ['Over HTTP, cookies have neither prefix nor Secure', cookies, 'cookies have no prefix over plain HTTP'],
  ['With a base path, cookie names end with a hash', cookies, 'end with a hash of the path'],
  ['Strict-Transport-Security', cookies, 'instructs browsers to use only HTTPS'],
  [
    'Another host of the domain plants an attempt',
    planted,
    'another host of the domain planted replaces no session',
  ],
  ['A planted attempt to link', planted, 'an attempt to link that an attacker planted'],
  ['Address in upn or preferred_username', signOn, '`upn` as a fallback'],
  ['Groups as text, objects, and keys', signOn, 'groups as keys of an object (Zitadel)'],
  ['Client authentication in the body', signOn, 'accepts client credentials only in the request body'],
  ['Two issuers that differ', signOn, 'names the configured issuer and the one that the provider states'],
  ['HS256', signOn, 'names an unsupported signing algorithm and the remedy'],
  ['error and error_description', signOn, 'contains the error and the description of the provider'],
  ['No group has a role', signOn, 'the received groups if none of them has a role'],
  ['A claim is missing', signOn, 'the received claims if the email address is missing'],
  ['invalid_client at the hourly check', signOn, 'keeps the session if the provider rejects the client'],
  [
    'An expired secret is reported',
    signOn,
    'notifies the organizations of the person when the provider rejects the client',
  ],
  [
    'One of two browsers ends at the provider',
    signOn,
    'ends the session only in the browser whose session ended',
  ],
  ['New address or name at the provider', signOn, 'is stored in the account at the hourly check'],
  ['The doctor finds an expired secret', signOn, 'finds credentials that the provider rejects'],
  ['sslmode as in libpq', postgres, 'connects to a server with a private certificate'],
  ['A certificate of a private authority', postgres, 'rejects a server with a private certificate'],
  ['Several hosts', postgres, 'is the server that responds and accepts writes'],
  ['host= socket', postgres, 'can be a socket in the parameter host'],
  ['Passwords that are not encoded', postgres, 'is rejected with the advice to percent-encode its password'],
  ['42501, 25006, 53300', postgres, 'at startup is explained with a remedy'],
  [
    'repeatable read as a default',
    postgres,
    'a default isolation level that is set for the database has no effect',
  ],
  ['A connection to the former primary', postgres, 'a connection that becomes read-only is dropped'],
  ['PgBouncer without a listen URL', postgres, 'a connection pooler that loses notifications is detected'],
  ['Encodings other than UTF-8', postgres, 'is reported before the first migration'],
  ['Unsuitable collations', postgres, 'a character type that supports only ASCII letters'],
  ['Asynchronous standby', postgres, 'whether a failover can lose transactions'],
  ['A promoted standby', promoted, 'a server starts again after a promotion'],
  ['Service variables of Kubernetes', containers, 'are ignored with one warning'],
  ['A weakened ETag', containers, 'an ETag that a proxy weakened'],
  ['The scheme of an ingress', containers, 'requires the scheme of an ingress'],
  ['Numbers in Helm values', containers, 'to the container unchanged'],
  ['Numbers in labels and annotations', containers, 'in labels, annotations, and selectors to strings'],
  ['IPv6-only clusters', containers, 'can be the address of all IPv6 and IPv4 interfaces'],
  ['HOST of other tools', containers, 'if another tool set it to %s'],
  ['Idle timeouts of load balancers', containers, 'keeps connections open longer than load balancers'],
  ['promtool check metrics', 'tests/deploy/observability.test.ts', 'promtool finds no problem'],
  ['Scheduling, volumes, labels', containers, 'applies the placement, volumes, variables, and labels'],
  ['OpenShift', containers, 'sets no user ID on platforms that assign one'],
  [
    'A restored volume',
    'src/platform/database/embedded-postgres.slow.test.ts',
    'can be started after a restored volume changed its permissions',
  ],
  ['Gitea and Forgejo forms', hooks, 'Gitea and Forgejo with the content type of a form'],
  ['A base path, kept by the proxy or stripped', basePath, 'is part of every link in the document at %s'],
  ['API and links under a base path', basePath, 'is in the Location header of a created resource'],
  ['Acknowledge links under a base path', basePath, 'is in the acknowledge page and its login link'],
  ['Single sign-on under a base path', basePath, 'is in the redirects and cookies of single sign-on'],
  ['Page and events under a base path', basePath, 'from the login to changes that appear automatically'],
  ['A portal of another origin calls the API', cors, 'can call the API with a key'],
  ['A base path of an ingress', containers, 'forwards only the path of the base URL'],
  ['Times in the time zone of the channel', messages, 'use the time zone that is set for the channel'],
  ['Internationalized domains', messages, 'of recipients are accepted, and stored in the ASCII form'],
  ['List-Unsubscribe of digests', mail, 'a digest is one email that contains every event'],
  ['Bitbucket', hooks, "'Bitbucket Data Center'"],
  ['Azure DevOps', hooks, "'Azure DevOps, ssh'"],
  ['Harbor', hooks, 'a Harbor image in the form of CloudEvents'],
  ['Quay', hooks, 'is authenticated by the secret in the URL'],
  ['A hook that starts nothing', hooks, 'the response to an event states that it started no jobs'],
  ['A channel that keeps failing', problem, 'is reported once to another channel, never to itself'],
  ['No channel works', problem, 'but to the owners by email'],
  ['Dead letters', problem, 'is reported once a day for its channel'],
  [
    'A disabled default channel',
    problem,
    'a default channel that is disabled because of a response of its receiver',
  ],
  [
    'A mail service that accepts only access tokens',
    accessTokens,
    'is fetched with client credentials, and used for all messages',
  ],
  ['A revoked access token', accessTokens, 'is replaced within the attempt if it was cached'],
  ['An expired client secret for mail', accessTokens, 'names the error and its description'],
  ['The doctor finds an expired client secret for mail', accessTokens, 'the doctor requests a token'],
  ['A mailbox of Google Workspace', accessTokens, 'a service account gets a token for its mailbox'],
  ['TLS from the start on a STARTTLS port', mailer, 'if smtps:// is used on a port that starts without TLS'],
  ['STARTTLS on port 465', mailer, 'if smtp:// is used on a port that expects TLS from the start'],
  [
    'A mail password with # or /',
    config,
    'with a password that isn’t percent-encoded is rejected with advice',
  ],
  [
    'https:// on a port without TLS',
    'src/platform/outbound/outbound-client.test.ts',
    'reports the cause if it uses TLS on a port without TLS',
  ],
  ['Addresses as a list of claims', claims, 'the first address of a list is used, but is never verified'],
  ['Numbers as groups', claims, 'groups are strings or numbers'],
  ['A provider that states http:// endpoints', provider, 'the error for an endpoint without TLS'],
  ['Timeouts for idle sessions', postgres, 'timeouts for idle sessions and for locks have no effect'],
  [
    'A database after an upgrade of its operating system',
    postgres,
    'sorted by another version of the operating system cause a warning',
  ],
  [
    'A proxy with a login, and .netrc',
    'src/modules/accounts/login/authenticate.test.ts',
    'is used behind a proxy that forwards the Authorization header of its own login',
  ],
  ['Forwarded addresses with ports', proxies, 'has no port'],
  ['Cookies of other sites of the domain', proxies, 'a request with headers that are too large'],
  ['Quotes in an env file', config, 'are mentioned in the error if they make the value invalid'],
  ['Secrets of Docker in files', config, 'is read without the line break at its end'],
];

test.each(situations)('the situation "%s" has a test', (_situation, file, title) => {
  const text = readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');
  expect(text).toContain(title);
});
