import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { setClockOffset } from '../../../tests/helpers/database.ts';
import { createMonitoredSoftware } from '../../../tests/helpers/monitored.ts';
import { readCalendar } from '../../../tests/helpers/read-calendar.ts';
import { startTestServer } from '../../../tests/helpers/test-server.ts';
import { createApiClient } from '../../client/api-client.ts';
import { createTokenSigner } from '../../platform/secrets/index.ts';
import { type CalendarTarget, makeCalendarToken } from './calendar-link.ts';

const secretKey = randomBytes(32);
const server = await startTestServer({ PACEKEEPER_SECRET_KEY: secretKey.toString('base64') });
const { db, url: baseUrl } = server;
const signer = createTokenSigner({ purpose: 'calendar', current: secretKey });

/**
 * Creates an organization with a configuration that is moderate now, high in a month, and critical in two
 * months.
 */
async function createForecast(name = 'web') {
  const organization = await server.createOrganization();
  const { configId } = await createMonitoredSoftware(server, organization, {
    rule: {
      rule_type: 'days_behind',
      thresholds: { moderate: 10, high: 60, critical: 90 },
      days_basis: 'first_newer_release',
    },
    labels: { team: 'platform' },
  });
  await organization.api.call('updateAlertConfig', { path: { id: configId }, body: { name } });
  await organization.api.call('evaluateRules');
  const { url } = await organization.api.call('getForecastCalendar');
  return { organization, configId, url };
}

async function readAt(url: string) {
  const answer = await fetch(url);
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  return { answer, text, calendar: readCalendar(text) };
}

async function expectNone(url: string): Promise<void> {
  const answer = await fetch(url);
  expect(answer.status, url).toBe(404);
  expect(await answer.text()).not.toContain('VCALENDAR');
}

/** Logs in as this person and returns the URL of their calendar. */
async function urlOf({ email, password }: { email: string; password: string }): Promise<string> {
  const { access_token: token } = await server.anonymous.call('login', { body: { email, password } });
  return (await createApiClient({ baseUrl, token }).call('getForecastCalendar')).url;
}

test('a calendar has an event for each crossing of a threshold, and needs no login', async () => {
  const { organization, configId, url } = await createForecast();
  expect(url.startsWith(`${baseUrl}/calendar/`)).toBe(true);
  const { answer, calendar } = await readAt(url);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/calendar; charset=utf-8',
    'cache-control': 'private, max-age=300',
    'x-content-type-options': 'nosniff',
    etag: expect.stringMatching(/^W\/"[\w-]{27}"$/),
  });
  const forecast = await organization.api.call('getForecast', { query: { days: 90 } });
  const hostname = new URL(baseUrl).hostname;
  expect(forecast.total).toBeGreaterThan(0);
  expect(calendar.components.map(({ properties }) => Object.fromEntries(properties))).toEqual(
    forecast.items.map(({ at, severity }) =>
      expect.objectContaining({
        UID: `alert-config-${configId}-${severity}@${hostname}`,
        DTSTART: `${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z`,
        SUMMARY: `web becomes ${severity}`,
        URL: `${baseUrl}/alert-configs/${configId}`,
      }),
    ),
  );
});

test('an organization can generate only a few calendars at a time, and equal requests share one calendar', async () => {
  const { organization } = await createForecast();
  const statuses = async (urls: readonly string[]) =>
    (await Promise.all(urls.map((url) => fetch(url)))).map(({ status }) => status);
  const urls = await Promise.all(
    Array.from(
      { length: 20 },
      async (_, index) =>
        (await organization.api.call('getSupportCalendar', { query: { days: 30 + index } })).url,
    ),
  );
  // Other organizations don't wait for these calendars.
  const { url: other } = await createForecast();
  const [different, ofOther] = await Promise.all([statuses(urls), statuses([other])]);
  expect(new Set(different)).toEqual(new Set([200, 503]));
  expect(ofOther).toEqual([200]);
  const { url: same } = await organization.api.call('getSupportCalendar', { query: { days: 300 } });
  expect(new Set(await statuses(Array.from({ length: 20 }, () => same)))).toEqual(new Set([200]));
});

test('the same events have the same ETag, and clients that send it get 304', async () => {
  const { url } = await createForecast();
  const { answer } = await readAt(url);
  const etag = answer.headers.get('etag')!;
  const again = await fetch(url, { headers: { 'if-none-match': `"other", ${etag}` } });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe('');
  expect((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
});

test('a hostile name adds no components or properties to a calendar', async () => {
  const hostile = 'web\r\nEND:VEVENT\r\nBEGIN:VALARM\r\nATTACH:https://evil.example/;,\\n';
  const { organization, url, configId } = await createForecast();
  const label = { team: 'x\\nEND:VEVENT' };
  await organization.api.call('updateAlertConfig', {
    path: { id: configId },
    body: { name: hostile, labels: label },
  });
  await organization.api.call('evaluateRules');
  const { calendar } = await readAt(url);
  expect(calendar.components.length).toBeGreaterThan(0);
  for (const { name, components, properties } of calendar.components) {
    expect([name, components, properties.has('ATTACH')]).toEqual(['VEVENT', [], false]);
    expect(properties.get('SUMMARY')).toContain(hostile.replaceAll('\r\n', '\n').trim());
  }
});

test('a calendar applies the filters of the request that created its URL, and ignores other filters', async () => {
  const { organization, url } = await createForecast();
  const get = (query: { label?: string; severity?: 'critical' }) =>
    organization.api.call('getForecastCalendar', { query });
  const [{ properties }] = (await readAt((await get({ severity: 'critical' })).url)).calendar.components as [
    ReturnType<typeof readCalendar>,
  ];
  expect(properties.get('CATEGORIES') ?? 'none').toMatch(/critical|none/);
  const none = await readAt((await get({ label: 'team=payments' })).url);
  expect(none.calendar.components.map(({ name }) => name)).toEqual(['VTIMEZONE']);
  expect((await readAt(`${url}?label=team%3Dpayments&organization_id=1`)).calendar.components[0]?.name).toBe(
    'VEVENT',
  );
  await expect(get({ label: `team=${'\u{1F980}'.repeat(120)}` })).rejects.toMatchObject({ status: 400 });
});

test('a calendar URL stops working when its user changes the password or is removed, or when its API key is revoked', async () => {
  const { organization, url } = await createForecast();
  const person = { email: `viewer-${organization.id}@example.org`, password: 'a long password' };
  const invitation = await organization.owner.call('inviteMember', {
    body: { email: person.email, role: 'viewer' },
  });
  await server.anonymous.call('acceptInvitation', {
    body: { token: invitation.accept_url.split('#token=')[1]!, name: 'A viewer', password: person.password },
  });
  const first = await urlOf(person);
  await readAt(first);
  const { access_token: token } = await server.anonymous.call('login', { body: person });
  await createApiClient({ baseUrl, token }).call('changePassword', {
    body: { current_password: person.password, new_password: 'another long password' },
  });
  await expectNone(first);
  const second = await urlOf({ ...person, password: 'another long password' });
  await readAt(second);
  const { items } = await organization.owner.call('listMembers', { query: { q: person.email } });
  await organization.owner.call('deleteMember', { path: { id: items[0]!.id } });
  await expectNone(second);

  // Calendar URLs never expire. The URL of an API key stops working when the key is revoked.
  await setClockOffset(db, '100 years');
  expect((await fetch(url)).status).not.toBe(404);
  await setClockOffset(db, '0');
  const key = await organization.owner.call('createAPIKey', { body: { name: 'calendar', role: 'viewer' } });
  const ofKey = await createApiClient({ baseUrl, apiKey: key.key }).call('getForecastCalendar');
  await readAt(ofKey.url);
  await organization.owner.call('deactivateAPIKey', { path: { id: key.api_key.id } });
  await expectNone(ofKey.url);
});

test('a calendar returns 404 if its organization disabled calendars, while other organizations keep theirs', async () => {
  const [ours, theirs] = [await createForecast(), await createForecast()];
  const path = { key: 'calendars.enabled' };
  await ours.organization.owner.call('putOrgOverride', { path, body: { value: false } });
  await expectNone(ours.url);
  await readAt(theirs.url);
});

test('a calendar rejects tokens that were altered or are not for a calendar, and reads the database only for tokens with a valid signature', async () => {
  const [{ organization, url }, other] = [await createForecast(), await createForecast()];
  const token = url.slice(`${baseUrl}/calendar/`.length, -'.ics'.length);
  const [key, end, payload, mac] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload!, 'base64url').toString()) as {
    o: number;
    k?: number;
    u?: number;
  };
  expect(claims.o).toBe(organization.id);
  const forge = (more: object) => Buffer.from(JSON.stringify({ ...claims, ...more })).toString('base64url');
  const target: CalendarTarget = {
    kind: 'forecast',
    organizationId: organization.id,
    issuer: {
      kind: 'key',
      id: claims.k ?? 1,
    },
    days: 90,
    severity: null,
    label: null,
  };
  const foreign = [
    makeCalendarToken(createTokenSigner({ purpose: 'calendar', current: randomBytes(32) }), target),
    makeCalendarToken(createTokenSigner({ purpose: 'badge', current: secretKey }), target),
    [key, end, forge({ o: other.organization.id }), mac].join('.'),
    [key, end, forge({ d: 365 }), mac].join('.'),
    token.slice(0, -1),
    `${token}A`,
    '%00',
    '..%2f',
    'x'.repeat(500),
  ];
  const statements = await server.statementsOf(async () => {
    for (const wrong of foreign) await expectNone(`${baseUrl}/calendar/${wrong}.ics`);
    await expectNone(url.slice(0, -'.ics'.length));
  });
  expect(statements.filter((text) => /token_version =|AS is_enabled/.test(text))).toEqual([]);
  // These tokens have a valid signature, but their issuer isn't part of the organization.
  await expectNone(
    `${baseUrl}/calendar/${makeCalendarToken(signer, { ...target, organizationId: other.organization.id })}.ics`,
  );
  await expectNone(
    `${baseUrl}/calendar/${makeCalendarToken(signer, { ...target, issuer: { kind: 'user', id: 1, tokenVersion: 1 } })}.ics`,
  );
});
